//! [`Machine`]: runs the instructions of functions, with frames in a list instead of recursion.

use std::time::Instant;

use object_core::Function as Packed;
use object_core::prelude::*;
use smallvec::{SmallVec, smallvec};

use super::call_stack::{CallStack, Entry};
use super::closure::{Closure, ClosureNode, closure_of};
use super::code::{Callee, Code, Destination, Instruction, OutputDims, Slot};
use super::loop_program::LoopProgram;
use super::packed;
use super::scalar::Scalar;
use super::session::{Event, Session};
use super::truth::truth;
use super::value::{Tensor, Value};
use crate::operator::evaluation::Evaluation;

/// A call under way.
struct Frame {
    code: usize,
    /// The instruction after the current one.
    next: usize,
    /// The first slot in the list of all values.
    values: usize,
    /// The first slot in the list of all scalars.
    scalars: usize,
    /// The slot of the caller for the result.
    to: Slot,
}

/// Calls a function: see [`Machine::call`].
///
/// # Errors
/// The error of the run, with the calls under way as its source.
pub(super) fn call(
    session: &Session,
    code: usize,
    args: Vec<Any>,
    closure: Option<(&Closure, Any)>,
) -> Result<Any, Error> {
    Machine::new(session).call(code, args, closure)
}

/// A run of a function.
struct Machine<'a> {
    session: &'a Session,
    frames: Vec<Frame>,
    values: Vec<Any>,
    scalars: Vec<Option<Scalar>>,
}

impl<'a> Machine<'a> {
    fn new(session: &'a Session) -> Self {
        Machine { session, frames: Vec::new(), values: Vec::new(), scalars: Vec::new() }
    }

    /// Calls a function, and returns its result. `closure` has the captured values of a local function, and the function
    /// itself as a value.
    ///
    /// # Errors
    /// The error of the run, with the calls under way as its source.
    fn call(&mut self, code: usize, args: Vec<Any>, closure: Option<(&Closure, Any)>) -> Result<Any, Error> {
        let result = self.enter(code, args, closure, 0).and_then(|()| self.run());
        result.map_err(|error| {
            let stack = self.stack().of_error(&error);
            // A function that refuses its arguments has no binding under way, so the place is the call.
            let place = stack.entries.iter().find_map(|entry| entry.binding.clone());
            let error = match place.and_then(|binding| self.session.program.path_of(&binding)) {
                Some(path) if error.path().is_none() => error.at(path),
                _ => error,
            };
            if stack.entries.is_empty() { error } else { error.context(&stack).with_source(stack) }
        })
    }

    fn stack(&self) -> CallStack {
        let entry = |frame: &Frame| {
            let code = self.code(frame.code);
            let site = frame.next.checked_sub(1).and_then(|at| code.sites[at].as_ref());
            Entry { function: code.name.clone(), binding: site.map(|site| site.binding.clone()) }
        };
        CallStack::new(self.frames.len(), self.frames.iter().rev().map(entry))
    }

    fn code(&self, code: usize) -> &'a Code {
        self.session.program.code(code)
    }

    /// Begins a call.
    fn enter(
        &mut self,
        code_number: usize,
        args: Vec<Any>,
        closure: Option<(&Closure, Any)>,
        to: Slot,
    ) -> Result<(), Error> {
        let code = self.code(code_number);
        if args.len() != code.params {
            let names: Vec<_> = code.function.params.iter().map(|param| param.vid.name_hint.to_string()).collect();
            let message = format!(
                "the function `{}` takes {} arguments ({}), got {}",
                code.name,
                code.params,
                names.join(", "),
                args.len()
            );
            return Err(Error::new(ErrorKind::Call, message));
        }
        let (values, scalars) = (self.values.len(), self.scalars.len());
        self.frames.push(Frame { code: code_number, next: 0, values, scalars, to });
        self.values.reserve(code.slots);
        self.values.extend(args);
        self.values.resize(values + code.slots, Any::None);
        self.scalars.resize(scalars + code.scalar_slots, None);
        if let Some((closure, own)) = closure {
            if let Some(slot) = code.own {
                self.values[values + slot as usize] = own;
            }
            for (slot, value) in code.captured.iter().zip(&closure.captured) {
                self.values[values + *slot as usize] = value.clone();
            }
            for (slot, value) in code.scalars.iter().zip(&closure.scalars) {
                self.scalars[scalars + *slot as usize] = *value;
            }
        }
        let slots = &self.values[values..];
        code.entry.check(&slots[..code.params], slots, &mut self.scalars[scalars..], |index| {
            let name = code.function.params.get(index).map(|param| param.vid.name_hint.to_string());
            format!("parameter {index} (`{}`) of `{}`", name.unwrap_or_default(), code.name)
        })
    }

    fn run(&mut self) -> Result<Any, Error> {
        loop {
            self.session.tick()?;
            let Some(frame) = self.frames.last_mut() else { unreachable!("a run ends with its first frame") };
            let (code, at, base) = (self.session.program.code(frame.code), frame.next, frame.values);
            frame.next += 1;
            let instruction = &code.instructions[at];
            match instruction {
                Instruction::Return { from } => {
                    let result = self.values[base + *from as usize].clone();
                    self.check_result(code, &result)?;
                    let Some(frame) = self.frames.pop() else { unreachable!("the frame is there") };
                    self.values.truncate(frame.values);
                    self.scalars.truncate(frame.scalars);
                    let Some(caller) = self.frames.last() else { return Ok(result) };
                    self.values[caller.values + frame.to as usize] = result;
                    let (caller, at) = (self.code(caller.code), caller.next - 1);
                    self.report(caller, at, "call", None);
                }
                Instruction::Call { to, callee, args, spreads, is_pure } => {
                    let args = self.arguments(args, *spreads, base)?;
                    let callee = self.values[base + *callee as usize].clone();
                    if *is_pure {
                        packed::check_purity(&callee)?;
                    }
                    self.call_value(&callee, args, *to)?;
                }
                Instruction::CallGlobal { to, code, args } => {
                    let args = self.arguments(args, false, base)?;
                    self.enter(*code, args, None, *to)?;
                }
                Instruction::Jump { label } => self.jump(code.target(*label)),
                Instruction::JumpUnless { condition, label } => {
                    if !truth(&self.values[base + *condition as usize])? {
                        self.jump(code.target(*label));
                    }
                }
                Instruction::Forget { slots } => {
                    slots.iter().for_each(|slot| self.values[base + *slot as usize] = Any::None);
                }
                Instruction::Match { value, pattern } => self.match_cast(code, at, *value, pattern)?,
                Instruction::Fail { error } => return Err(error.clone()),
                instruction => {
                    let begin = self.session.observes().then(Instant::now);
                    let result = self.compute(instruction, base)?;
                    if let Some(to) = instruction.to() {
                        self.values[base + to as usize] = result;
                    }
                    if let Some(begin) = begin {
                        self.report(code, at, name_of(instruction), Some(begin));
                    }
                }
            }
        }
    }

    fn jump(&mut self, target: usize) {
        if let Some(frame) = self.frames.last_mut() {
            frame.next = target;
        }
    }

    fn check_result(&mut self, code: &Code, result: &Any) -> Result<(), Error> {
        if code.exit.is_trivial() {
            return Ok(());
        }
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let (slots, scalars) = (&self.values[frame.values..], &mut self.scalars[frame.scalars..]);
        let roots = std::slice::from_ref(result);
        code.exit.check(roots, slots, scalars, |_| format!("the result of `{}`", code.name))
    }

    fn match_cast(
        &mut self,
        code: &Code,
        at: usize,
        value: Slot,
        pattern: &super::pattern::Pattern,
    ) -> Result<(), Error> {
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let (slots, scalars) = (&self.values[frame.values..], &mut self.scalars[frame.scalars..]);
        let roots = std::slice::from_ref(&slots[value as usize]);
        let var = code.sites[at].as_ref().map(|site| site.binding.var.vid.name_hint.to_string()).unwrap_or_default();
        pattern.check(roots, slots, scalars, |_| format!("the value of the `MatchCast` to `{var}`"))
    }

    /// Tells the observer about the value of a binding.
    fn report(&self, code: &Code, at: usize, operation: &str, begin: Option<Instant>) {
        if !self.session.observes() {
            return;
        }
        let (Some(frame), instruction) = (self.frames.last(), &code.instructions[at]) else { return };
        let site = code.sites[at].as_ref().filter(|site| instruction.to() == Some(site.slot));
        let value = instruction.to().map(|to| &self.values[frame.values + to as usize]);
        self.session.observe(&Event {
            function: &code.name,
            variable: site.map(|site| &*site.binding.var.vid.name_hint),
            operation,
            value: value.unwrap_or(&Any::None),
            elapsed: begin.map(|begin| begin.elapsed()).unwrap_or_default(),
            depth: self.frames.len(),
        });
    }

    fn arguments(&self, args: &[Slot], spreads: bool, base: usize) -> Result<Vec<Any>, Error> {
        let mut values: Vec<Any> = args.iter().map(|arg| self.values[base + *arg as usize].clone()).collect();
        if spreads && let Some(last) = values.pop() {
            values.extend(members(&last)?);
        }
        Ok(values)
    }

    /// Calls a value: a closure of this program gets a frame, another function is called at once.
    fn call_value(&mut self, callee: &Any, args: Vec<Any>, to: Slot) -> Result<(), Error> {
        let Value::Function(function) = Value::of(callee) else {
            let message = format!("expected a function to call, got {}", Value::of(callee));
            return Err(Error::new(ErrorKind::TypeMismatch, message));
        };
        if let Some(closure) = closure_of(function).filter(|closure| self.session.program.owns(closure)) {
            let closure = closure.clone();
            return self.enter(closure.code, args, Some((&closure, callee.clone())), to);
        }
        let result = packed::call(function, &args, &self.session.controls)?;
        if let Some(frame) = self.frames.last() {
            self.values[frame.values + to as usize] = result;
            let (code, at) = (self.code(frame.code), frame.next - 1);
            self.report(code, at, "packed call", None);
        }
        Ok(())
    }

    /// The value of an instruction that calls no function of the program.
    fn compute(&mut self, instruction: &Instruction, base: usize) -> Result<Any, Error> {
        let (session, slots) = (self.session, &self.values[base..]);
        let scalars = &self.scalars[self.frames.last().map_or(0, |frame| frame.scalars)..];
        let meter = session.controls.meter();
        Ok(match instruction {
            Instruction::Copy { from, .. } => slots[*from as usize].clone(),
            Instruction::Constant { data, .. } => Tensor::from_constant(data, meter)?.into(),
            Instruction::Literal { value, .. } => value.clone(),
            Instruction::Scalar { code, .. } => code.run(scalars)?.into(),
            Instruction::Shape { dims, .. } => {
                let mut extents: SmallVec<[i64; 6]> = SmallVec::with_capacity(dims.len());
                for dim in dims {
                    extents.push(dim.run(scalars)?.int());
                }
                Shape::new(&extents).into()
            }
            Instruction::Tuple { members, .. } => {
                Array::<Any>::from_anys(members.iter().map(|slot| slots[*slot as usize].clone()).collect()).into()
            }
            Instruction::Member { tuple, index, .. } => member(&slots[*tuple as usize], *index)?,
            Instruction::Global { name, .. } => session.global(name)?,
            Instruction::Extern { name, .. } => session.packed(name)?.into(),
            Instruction::Closure { code, captured, scalars: captured_scalars, .. } => {
                let closure = ClosureNode {
                    code: *code,
                    program: session.program.token(),
                    captured: captured.iter().map(|slot| slots[*slot as usize].clone()).collect(),
                    scalars: captured_scalars.iter().map(|slot| scalars[*slot as usize]).collect(),
                    info: session.program.code(*code).function.struct_info.clone(),
                };
                session.function(closure.into()).into()
            }
            Instruction::Operator { operator, evaluate, call, args, returns_view, .. } => {
                let evaluation = Evaluation::new(operator, call, slots, args, &session.controls);
                // Observers get tensors.
                evaluation.with_view(*returns_view && !session.observes()).run(*evaluate)?
            }
            Instruction::Destination(call) => self.destination(call, base)?,
            _ => unreachable!("the loop runs instructions that change frames"),
        })
    }

    /// A call in destination-passing style.
    fn destination(&self, call: &Destination, base: usize) -> Result<Any, Error> {
        let slots = &self.values[base..];
        let scalars = &self.scalars[self.frames.last().map_or(0, |frame| frame.scalars)..];
        let tuple = &slots[call.args as usize];
        // The inputs, the results that are no inputs, and further numbers.
        let mut args: SmallVec<[Any; 8]> = match Value::of(tuple) {
            Value::Tuple(members) => members.iter().map(|member| member.to_any()).collect(),
            _ => smallvec![tuple.clone()],
        };
        let inputs = args.len();
        let mut results: SmallVec<[Any; 4]> = SmallVec::with_capacity(call.outputs.len());
        for (output, taken) in call.outputs.iter().zip(&call.in_place) {
            if let Ok(taken) = usize::try_from(*taken) {
                let Some(input) = args[..inputs].get_mut(taken) else {
                    let message = format!("`inplace_indices` names argument {taken} of {inputs}");
                    return Err(Error::new(ErrorKind::OutOfRange, message));
                };
                let Value::Tensor(tensor) = Value::of(input) else {
                    let message = format!(
                        "`inplace_indices` names argument {taken}: expected a tensor, got {}",
                        Value::of(input)
                    );
                    return Err(Error::new(ErrorKind::TypeMismatch, message));
                };
                // The program writes into a copy, because other variables may have the tensor.
                *input = tensor.copied(self.session.controls.meter())?.into();
                results.push(input.clone());
                continue;
            }
            let dims: SmallVec<[i64; 6]> = match &output.dims {
                OutputDims::Written(dims) => {
                    dims.iter().map(|dim| Ok(dim.run(scalars)?.int())).collect::<Result<_, Error>>()?
                }
                OutputDims::Variable(slot) => match Value::of(&slots[*slot as usize]) {
                    Value::Shape(shape) => shape.into(),
                    other => {
                        let message = format!("expected a shape for the result, got {other}");
                        return Err(Error::new(ErrorKind::TypeMismatch, message));
                    }
                },
            };
            let made: Any = Tensor::zeros(output.dtype, &dims, self.session.controls.meter())?.into();
            results.push(made.clone());
            args.push(made);
        }
        if let Some(ints) = call.ints {
            let Value::Shape(ints) = Value::of(&slots[ints as usize]) else {
                return Err(Error::new(ErrorKind::TypeMismatch, "expected a shape for further arguments"));
            };
            args.extend(ints.iter().map(|size| Any::Int(*size)));
        }
        let target = match &call.callee {
            Callee::Program(program) => Target::Program(program),
            Callee::Slot(slot) => match Value::of(&slots[*slot as usize]) {
                Value::Function(function) => Target::Function(function),
                other => {
                    let message = format!("expected a function to call, got {other}");
                    return Err(Error::new(ErrorKind::TypeMismatch, message));
                }
            },
        };
        let given = if call.keeps_inputs { &args[..inputs] } else { &[] };
        // A loop program is known to leave most of its arguments unchanged.
        let known = target.program().filter(|_| given.iter().all(is_tensor));
        let may_change = |index: usize| known.is_none_or(|program| program.may_write(index));
        let may_change_any = (0..given.len()).any(may_change);
        let before = may_change_any.then(|| fingerprints(given, &results, &may_change));
        match target {
            Target::Program(program) => program.call_named(&args, &self.session.controls)?,
            Target::Function(function) => packed::call(function, &args, &self.session.controls)?,
        };
        let after = before.is_some().then(|| fingerprints(given, &results, &may_change));
        let changed = before.iter().flatten().zip(after.iter().flatten()).position(|(before, after)| before != after);
        if let Some(changed) = changed {
            let message =
                format!("the loop program wrote into its argument {changed}, which `call_tir` must not change");
            return Err(Error::new(ErrorKind::Call, message));
        }
        Ok(if call.is_tuple || results.len() != 1 {
            Array::<Any>::from_anys(results.into_vec()).into()
        } else {
            results.pop().unwrap_or_default()
        })
    }
}

/// The callee of a call in destination-passing style.
enum Target<'a> {
    /// A loop program of the module, which needs no function.
    Program(&'a LoopProgram),
    Function(&'a Packed),
}

impl Target<'_> {
    /// The loop program that the call runs, if it runs one.
    fn program(&self) -> Option<&LoopProgram> {
        match self {
            Target::Program(program) => Some(program),
            Target::Function(function) => LoopProgram::of(function),
        }
    }
}

fn is_tensor(value: &Any) -> bool {
    matches!(Value::of(value), Value::Tensor(_))
}

/// A hash of the elements of each input, and 0 for inputs that cannot change or share the memory of an output.
fn fingerprints(inputs: &[Any], outputs: &[Any], may_change: &dyn Fn(usize) -> bool) -> Vec<u64> {
    let storage = |value: &Any| match Value::of(value) {
        Value::Tensor(tensor) => Some(tensor.storage().as_object().view().address()),
        _ => None,
    };
    let written: Vec<_> = outputs.iter().filter_map(storage).collect();
    let fingerprint = |(index, input): (usize, &Any)| match Value::of(input) {
        Value::Tensor(tensor) if may_change(index) && !storage(input).is_some_and(|it| written.contains(&it)) => {
            tensor.fingerprint()
        }
        _ => 0,
    };
    inputs.iter().enumerate().map(fingerprint).collect()
}

fn members(tuple: &Any) -> Result<Vec<Any>, Error> {
    match Value::of(tuple) {
        Value::Tuple(tuple) => Ok(tuple.iter().map(|member| member.to_any()).collect()),
        other => Err(Error::new(ErrorKind::TypeMismatch, format!("expected a tuple of arguments, got {other}"))),
    }
}

fn member(tuple: &Any, index: i64) -> Result<Any, Error> {
    let Value::Tuple(members) = Value::of(tuple) else {
        let message = format!("expected a tuple with a member {index}, got {}", Value::of(tuple));
        return Err(Error::new(ErrorKind::TypeMismatch, message));
    };
    let member = usize::try_from(index).ok().and_then(|index| members.get(index));
    member.map(|member| member.to_any()).ok_or_else(|| {
        Error::new(
            ErrorKind::OutOfRange,
            format!("expected a tuple with a member {index}, got {} members", members.len()),
        )
    })
}

/// The name of an instruction for observers.
fn name_of(instruction: &Instruction) -> &'static str {
    match instruction {
        Instruction::Operator { operator, .. } => operator.signature.name,
        Instruction::Destination(_) => "call with destination",
        Instruction::Constant { .. } => "constant",
        Instruction::Tuple { .. } | Instruction::Member { .. } => "tuple",
        Instruction::Shape { .. } | Instruction::Scalar { .. } => "shape",
        Instruction::Closure { .. } | Instruction::Global { .. } | Instruction::Extern { .. } => "function",
        _ => "variable",
    }
}
