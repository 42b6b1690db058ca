//! [`DocTree`]: the syntax tree of the text, between the printed graph and the text.
//!
//! All nodes of a tree are in one vector, and refer to each other by number. So building a node allocates nothing, and
//! releasing a deep tree needs no recursion.

use crate::print::doc::operator::Operator;
use object_core::meter::grown_bytes;
use object_core::print::Path;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A node of a [`DocTree`]: an expression, a statement, or several statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Doc(u32);

/// Nodes that a list takes. Most lists are short.
pub(crate) type Docs = SmallVec<[Doc; 8]>;

/// Keyword arguments that a list takes.
pub(crate) type Keywords = SmallVec<[(Text, Doc); 4]>;

/// A list of nodes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DocList {
    start: u32,
    len: u32,
}

/// A list of keyword arguments.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct KeywordList {
    start: u32,
    len: u32,
}

/// A text that a node prints as it is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Text {
    Static(&'static str),
    Stored { start: u32, len: u32 },
}

impl From<&'static str> for Text {
    fn from(text: &'static str) -> Self {
        Text::Static(text)
    }
}

/// The contents of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Node {
    /// A name.
    Name(Text),
    /// A constant that is ready to print.
    Literal(Text),
    /// An integer constant.
    Int(i64),
    /// `prefix.name`, where both are words, with the number of the prefix in the tree.
    Qualified { prefix: u8, name: Text },
    /// `value.name`.
    Member { value: Doc, name: Text },
    /// `value[indices]`.
    Index { value: Doc, indices: DocList },
    /// A unary or binary operation.
    Operation { operator: Operator, operands: DocList },
    /// `callee(args, keywords)`.
    Call { callee: Doc, args: DocList, keywords: KeywordList },
    /// `lambda params: body`.
    Lambda { params: DocList, body: Doc },
    /// `(a, b)`.
    Tuple(DocList),
    /// `[a, b]`.
    List(DocList),
    /// `{key: value}`, with keys and values in turns.
    Dict(DocList),
    /// `start:stop:step`.
    Slice { start: Doc, stop: Doc, step: Option<Doc> },
    /// The text of an expression as a string constant.
    Quoted(Doc),

    /// `target: annotation = value`.
    Assign { target: Doc, annotation: Option<Doc>, value: Option<Doc> },
    /// A branch; without `otherwise` if it is empty.
    If { condition: Doc, then: DocList, otherwise: DocList },
    /// A loop with a condition.
    While { condition: Doc, body: DocList },
    /// `for target in range`.
    For { target: Doc, range: Doc, body: DocList },
    /// `with context as target`.
    With { context: Doc, target: Option<Doc>, body: DocList },
    /// An expression as a statement.
    Expr(Doc),
    /// `assert condition, message`.
    Assert { condition: Doc, message: Doc },
    /// `return value`.
    Return(Doc),
    /// A statement of one word.
    Keyword(&'static str),
    /// A function, with its number in the tree.
    Function(u32),
    /// `class name`.
    Class { name: Doc, decorator: Doc, body: DocList },
    /// `# text`, or an empty line if there is no text.
    Comment(Text),
    /// Several statements.
    Block(DocList),
}

/// The definition of a function: `def name(params) -> result`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FunctionDoc {
    pub(crate) name: Doc,
    pub(crate) decorator: Doc,
    pub(crate) params: DocList,
    pub(crate) result: Option<Doc>,
    pub(crate) body: DocList,
}

/// A tree of nodes with the places that they show.
#[derive(Debug)]
pub(crate) struct DocTree {
    nodes: Vec<Node>,
    /// Whether nodes have places; otherwise, marks do nothing.
    has_places: bool,
    /// For each node, the number of its last mark plus one, or 0.
    marked: Vec<u32>,
    /// The places of nodes; each with the number of the mark before it of the same node plus one, or 0.
    marks: Vec<(Path, u32)>,
    lists: Vec<Doc>,
    keywords: Vec<(Text, Doc)>,
    functions: Vec<FunctionDoc>,
    prefixes: [String; 3],
    text: String,
    /// The comments of statements.
    comments: FxHashMap<Doc, Vec<String>>,
}

/// The bytes of a node.
pub(crate) const NODE_SIZE: usize = size_of::<Node>();

fn number(len: usize) -> u32 {
    // A text of this size does not fit in memory.
    u32::try_from(len).unwrap_or(u32::MAX)
}

impl DocTree {
    /// An empty tree, with or without the places of its nodes, and with the prefixes of names.
    pub(crate) fn new(has_places: bool, prefixes: [String; 3]) -> Self {
        DocTree {
            nodes: Vec::with_capacity(256),
            has_places,
            marked: Vec::new(),
            marks: Vec::new(),
            lists: Vec::with_capacity(256),
            keywords: Vec::new(),
            functions: Vec::new(),
            prefixes,
            text: String::new(),
            comments: FxHashMap::default(),
        }
    }

    /// Whether nodes have places.
    pub(crate) fn has_places(&self) -> bool {
        self.has_places
    }

    /// Adds a node.
    pub(crate) fn add(&mut self, node: Node) -> Doc {
        self.nodes.push(node);
        if self.has_places {
            self.marked.push(0);
        }
        Doc(number(self.nodes.len() - 1))
    }

    /// Adds a function.
    pub(crate) fn add_function(&mut self, function: FunctionDoc) -> Doc {
        self.functions.push(function);
        self.add(Node::Function(number(self.functions.len() - 1)))
    }

    /// The function with this number.
    pub(crate) fn function(&self, number: u32) -> FunctionDoc {
        self.functions[number as usize]
    }

    /// The prefix with this number.
    pub(crate) fn prefix(&self, number: u8) -> &str {
        &self.prefixes[usize::from(number)]
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// A number that grows with the bytes of the tree.
    #[inline]
    pub(crate) fn size(&self) -> usize {
        self.nodes.len() * NODE_SIZE + self.text.len()
    }

    /// The memory of the tree in bytes, when it has grown for some nodes more.
    pub(crate) fn bytes(&self) -> usize {
        let places = grown_bytes(&self.marked) + grown_bytes(&self.marks);
        let lists = grown_bytes(&self.lists) + grown_bytes(&self.keywords) + grown_bytes(&self.functions);
        let text = if self.text.len() > self.text.capacity() / 4 * 3 { 2 } else { 1 } * self.text.capacity();
        grown_bytes(&self.nodes) + places + lists + text
    }

    /// The contents of a node.
    pub(crate) fn node(&self, doc: Doc) -> &Node {
        &self.nodes[doc.0 as usize]
    }

    /// Stores a text for nodes.
    pub(crate) fn store(&mut self, text: &str) -> Text {
        let start = number(self.text.len());
        self.text.push_str(text);
        Text::Stored { start, len: number(text.len()) }
    }

    /// Stores the text that `write` appends.
    pub(crate) fn store_with(&mut self, write: impl FnOnce(&mut String)) -> Text {
        let start = self.text.len();
        write(&mut self.text);
        Text::Stored { start: number(start), len: number(self.text.len() - start) }
    }

    /// A text of this tree.
    pub(crate) fn text(&self, text: Text) -> &str {
        match text {
            Text::Static(text) => text,
            Text::Stored { start, len } => &self.text[start as usize..start as usize + len as usize],
        }
    }

    /// Stores a list of nodes.
    pub(crate) fn list(&mut self, docs: &[Doc]) -> DocList {
        let start = number(self.lists.len());
        self.lists.extend_from_slice(docs);
        DocList { start, len: number(docs.len()) }
    }

    /// The nodes of a list.
    pub(crate) fn docs(&self, list: DocList) -> &[Doc] {
        &self.lists[list.start as usize..][..list.len as usize]
    }

    /// Stores keyword arguments.
    pub(crate) fn keyword_list(&mut self, keywords: &[(Text, Doc)]) -> KeywordList {
        let start = number(self.keywords.len());
        self.keywords.extend_from_slice(keywords);
        KeywordList { start, len: number(keywords.len()) }
    }

    /// The keyword arguments of a list.
    pub(crate) fn keywords(&self, list: KeywordList) -> &[(Text, Doc)] {
        &self.keywords[list.start as usize..][..list.len as usize]
    }

    /// Says that the node shows the object at `path`, in addition to other places.
    pub(crate) fn mark(&mut self, doc: Doc, path: Path) {
        if !self.has_places {
            return;
        }
        let last = &mut self.marked[doc.0 as usize];
        self.marks.push((path, *last));
        *last = number(self.marks.len());
    }

    /// The places that the node shows, the last mark first.
    pub(crate) fn marks(&self, doc: Doc) -> impl Iterator<Item = Path> {
        let mut next = self.marked[doc.0 as usize];
        std::iter::from_fn(move || {
            let (path, before) = *self.marks.get((next as usize).checked_sub(1)?)?;
            next = before;
            Some(path)
        })
    }

    /// Adds a comment to a statement; to the last one of a block.
    pub(crate) fn comment(&mut self, doc: Doc, comment: &str) {
        let statement = match *self.node(doc) {
            Node::Block(list) => self.docs(list).last().copied().unwrap_or(doc),
            _ => doc,
        };
        self.comments.entry(statement).or_default().push(comment.to_owned());
    }

    /// The lines of the comments of a statement.
    pub(crate) fn comment_lines(&self, doc: Doc) -> Vec<&str> {
        if self.comments.is_empty() {
            return Vec::new();
        }
        self.comments.get(&doc).into_iter().flatten().flat_map(|comment| comment.lines()).collect()
    }

    /// Whether the node is an expression, and not one or more statements.
    pub(crate) fn is_expr(&self, doc: Doc) -> bool {
        matches!(
            self.node(doc),
            Node::Name(_)
                | Node::Literal(_)
                | Node::Int(_)
                | Node::Qualified { .. }
                | Node::Member { .. }
                | Node::Index { .. }
                | Node::Operation { .. }
                | Node::Call { .. }
                | Node::Lambda { .. }
                | Node::Tuple(_)
                | Node::List(_)
                | Node::Dict(_)
                | Node::Slice { .. }
                | Node::Quoted(_)
        )
    }
}
