"""Reads texts with a parser of tree-sitter: python read_with_tree_sitter.py LIBRARY LANGUAGE, with a list of texts as JSON on standard input.

Prints a list as JSON: whether the tree of each text has an error.
"""

import ctypes
import json
import sys

import tree_sitter

library, name = sys.argv[1:]
make = getattr(ctypes.CDLL(library), f"tree_sitter_{name}")
make.restype = ctypes.c_void_p
capsule = ctypes.pythonapi.PyCapsule_New
capsule.restype = ctypes.py_object
capsule.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
language = tree_sitter.Language(capsule(make(), b"tree_sitter.Language", None))
parser = tree_sitter.Parser(language)
trees = [parser.parse(text.encode()) for text in json.load(sys.stdin)]
json.dump([tree.root_node.has_error for tree in trees], sys.stdout)
