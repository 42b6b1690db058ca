//! The dialect `small` in pliron: a constant, a sum, a comparison, a function and its return.
//!
//! Reads each file of the arguments, and prints the text of its function, or the error.

// [declaration]
use pliron::builtin::attributes::{IdentifierAttr, IntegerAttr};
use pliron::builtin::op_interfaces::{
    IsTerminatorInterface, IsolatedFromAboveInterface, NOpdsInterface, NResultsInterface, OneRegionInterface,
    OneResultInterface, OperandNOfType, ResultNOfType, SameOperandsType, SingleBlockRegionInterface,
};
use pliron::builtin::types::IntegerType;
use pliron::derive::pliron_op;

#[pliron_op(
    name = "small.const",
    format = "attr($value, $IntegerAttr) ` : ` type($0)",
    interfaces = [NOpdsInterface<0>, OneResultInterface, ResultNOfType<0, IntegerType>],
    attributes = (value: IntegerAttr),
    verifier = "succ",
)]
pub struct Constant;

#[pliron_op(
    name = "small.add",
    format = "$0 `, ` $1 ` : ` type($0)",
    interfaces = [
        NOpdsInterface<2>, OneResultInterface, SameOperandsType, OperandNOfType<0, IntegerType>,
        ResultNOfType<0, IntegerType>
    ],
    verifier = "succ",
)]
pub struct Add;

#[pliron_op(
    name = "small.less",
    format = "$0 ` < ` $1 ` : ` type($0)",
    interfaces = [
        NOpdsInterface<2>, OneResultInterface, SameOperandsType, OperandNOfType<0, IntegerType>,
        ResultNOfType<0, IntegerType>
    ],
    verifier = "succ",
)]
pub struct Less;

#[pliron_op(
    name = "small.return",
    format = "$0",
    interfaces = [IsTerminatorInterface, NOpdsInterface<1>, NResultsInterface<0>],
    verifier = "succ",
)]
pub struct Return;

#[pliron_op(
    name = "small.func",
    format = "attr($name, $IdentifierAttr) ` ` region($0)",
    interfaces = [NOpdsInterface<0>, NResultsInterface<0>, OneRegionInterface, SingleBlockRegionInterface, IsolatedFromAboveInterface],
    attributes = (name: IdentifierAttr),
    verifier = "succ",
)]
pub struct Function;
// [end]

use pliron::context::Context;
use pliron::irfmt::parsers::spaced;
use pliron::operation::{Operation, verify_operation};
use pliron::parsable::parse_from_str;
use pliron::printable::Printable;

fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).expect("a file");
        let mut context = Context::new();
        match parse_from_str(spaced(Operation::top_level_parser()), &mut context, &text) {
            Ok(operation) => match verify_operation(operation, &context) {
                Ok(()) => println!("ok:\n{}", operation.disp(&context)),
                Err(error) => println!("verify: {}", error.disp(&context)),
            },
            Err(error) => println!("parse: {}", error.disp(&context)),
        }
    }
}
