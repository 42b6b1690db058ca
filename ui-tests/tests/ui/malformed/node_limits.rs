use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.Many")]
#[structural_eq(tree)]
struct ManyNode {
    field_0: bool,
    field_1: bool,
    field_2: bool,
    field_3: bool,
    field_4: bool,
    field_5: bool,
    field_6: bool,
    field_7: bool,
    field_8: bool,
    field_9: bool,
    field_10: bool,
    field_11: bool,
    field_12: bool,
    field_13: bool,
    field_14: bool,
    field_15: bool,
    field_16: bool,
    field_17: bool,
    field_18: bool,
    field_19: bool,
    field_20: bool,
    field_21: bool,
    field_22: bool,
    field_23: bool,
    field_24: bool,
    field_25: bool,
    field_26: bool,
    field_27: bool,
    field_28: bool,
    field_29: bool,
    field_30: bool,
    field_31: bool,
    field_32: bool,
    field_33: bool,
    field_34: bool,
    field_35: bool,
    field_36: bool,
    field_37: bool,
    field_38: bool,
    field_39: bool,
    field_40: bool,
    field_41: bool,
    field_42: bool,
    field_43: bool,
    field_44: bool,
    field_45: bool,
    field_46: bool,
    field_47: bool,
    field_48: bool,
    field_49: bool,
    field_50: bool,
    field_51: bool,
    field_52: bool,
    field_53: bool,
    field_54: bool,
    field_55: bool,
    field_56: bool,
    field_57: bool,
    field_58: bool,
    field_59: bool,
    field_60: bool,
    field_61: bool,
    field_62: bool,
    field_63: bool,
    field_64: bool,
}

#[derive(Object)]
#[object(type_key = "demo.Aligned")]
#[structural_eq(tree)]
#[repr(align(32))]
struct AlignedNode {
    a: i64,
}

fn main() {}
