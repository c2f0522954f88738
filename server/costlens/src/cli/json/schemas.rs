//! The schemas of `docs/schema`: those of the structs here. `UPDATE_EXPECT=1` writes them.

use std::path::Path;

use schemars::{JsonSchema, generate::SchemaSettings};

fn compare<T: JsonSchema>(name: &str) {
    // Output rather than input schemas: a field that is always written is required.
    compare_with::<T>(name, SchemaSettings::draft2020_12().for_serialize());
}

fn compare_with<T: JsonSchema>(name: &str, settings: SchemaSettings) {
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let fresh = format!("{:#}\n", schema.as_value());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema");
    let path = folder.join(format!("{name}.json"));
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(&path, &fresh).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == fresh,
        "docs/schema/{name}.json is not that of the structs; UPDATE_EXPECT=1 writes it"
    );
}

#[test]
fn schemas_are_those_of_the_structs() {
    compare::<super::bounds::Document>("bounds");
    compare::<super::bounds::Summary>("bounds-summary");
    compare::<super::check::Document>("check");
    compare::<super::explain::Document>("explain");
    compare::<super::fix::Document>("fix");
    compare::<super::run::Document>("run");
    compare::<super::profile::Document>("profile");
    compare::<super::predict::Document>("predict");
    compare::<super::platforms::Document>("platforms");
    compare::<super::report::Document>("report");
    compare::<super::validate::Document>("validate");
    compare::<super::verify::Document>("verify");
    // Editors check `costlens.toml` with it; those for TOML know draft 7.
    let read = SchemaSettings::draft07();
    compare_with::<crate::disk::project::Toml>("costlens.toml", read);
}
