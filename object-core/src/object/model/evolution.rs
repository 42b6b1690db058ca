//! [`Evolution`]: the words of a declaration about the files of earlier declarations.

use crate::error::Result;
use crate::object::model::old_object::OldObject;

/// The words of a declaration about the files of earlier declarations of the type.
#[derive(Clone, Copy, Debug)]
pub struct Evolution {
    /// The version of the declaration; 1 without the word.
    pub version: u32,
    /// Earlier keys of the type.
    pub aliases: &'static [&'static str],
    /// Names of fields that the type had, whose values files may have and readers drop.
    pub removed: &'static [&'static str],
    /// The steps from earlier versions, in ascending order without gaps.
    pub migrations: &'static [Migration],
    /// The form of the objects in files.
    pub files: FileForm,
}

impl Evolution {
    /// The first version of a type, without earlier names.
    pub const NONE: Evolution =
        Evolution { version: 1, aliases: &[], removed: &[], migrations: &[], files: FileForm::Declared };
}

/// A step from the fields of one version of a type to the fields of the next version.
#[derive(Clone, Copy, Debug)]
pub struct Migration {
    /// The version of the fields before the step.
    pub from: u32,
    /// Changes the fields of version `from` to the fields of version `from + 1`.
    pub with: fn(&mut OldObject) -> Result<()>,
}

/// The form of the objects of a type in files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileForm {
    /// A file has the declaration of the type, and variants of enums by name.
    #[default]
    Declared,
    /// The form of TVM: no declaration, and variants of enums by number.
    Tvm,
}

impl FileForm {
    /// The word of schemas.
    pub(crate) fn word(self) -> &'static str {
        FILE_FORMS.iter().find(|(_, form)| *form == self).map_or("", |(word, _)| *word)
    }
}

/// The words of schemas for forms.
pub(crate) const FILE_FORMS: [(&str, FileForm); 2] = [("declared", FileForm::Declared), ("tvm", FileForm::Tvm)];
