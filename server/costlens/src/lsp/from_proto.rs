//! Converts protocol types to plain data.

use std::path::PathBuf;

use std::sync::Arc;

use costlens_ide::settings::{Chosen, Dialect, Features, Settings, Threshold};
use serde_json::Value;
use tower_lsp::ls_types as lsp;

use crate::disk::platforms;
use crate::disk::project::ProjectFile;
use crate::lines::Encoding;

/// Returns the folders of a workspace, excluding folders that are not on disk.
pub(super) fn roots(folders: &[lsp::WorkspaceFolder]) -> Vec<PathBuf> {
    (folders.iter())
        .filter_map(|f| Some(f.uri.to_file_path()?.into_owned()))
        .collect()
}

/// Returns UTF-8 if the client supports it, since bytes need no counting; otherwise the protocol's default.
pub(super) fn encoding(client: &lsp::ClientCapabilities) -> Encoding {
    let offered = client
        .general
        .as_ref()
        .and_then(|g| g.position_encodings.as_deref())
        .unwrap_or_default();
    let offers = |kind| offered.contains(&kind);
    if offers(lsp::PositionEncodingKind::UTF8) {
        Encoding::Utf8
    } else if offers(lsp::PositionEncodingKind::UTF16) || !offers(lsp::PositionEncodingKind::UTF32)
    {
        Encoding::Utf16
    } else {
        Encoding::Utf32
    }
}

/// Parses settings from `initializationOptions` or `workspace/didChangeConfiguration`: the object itself, or the object under `costlens`. A
/// setting that is missing or malformed keeps its default. `hover.plot` has an effect only if the client shows pictures. If the client does
/// not set dialect or platform, the project's settings apply.
pub(super) fn settings(value: &Value, shows: Shows, project: &ProjectFile) -> Settings {
    let value = value.get("costlens").unwrap_or(value);
    let mut s = Settings::default();
    let flag = |path: &[&str], default: bool| {
        let found = path.iter().try_fold(value, |v, key| v.get(key));
        found.and_then(Value::as_bool).unwrap_or(default)
    };
    s.enable = flag(&["enable"], s.enable);
    s.hints.enable = flag(&["hints", "enable"], s.hints.enable);
    s.hints.steps = flag(&["hints", "steps"], s.hints.steps);
    s.hints.time = flag(&["hints", "time"], s.hints.time);
    s.hints.unknown = flag(&["hints", "unknown"], s.hints.unknown);
    s.hints.data = flag(&["hints", "data"], s.hints.data);
    s.hints.observed = flag(&["hints", "observed"], s.hints.observed);
    s.diagnostics = flag(&["diagnostics", "enable"], s.diagnostics);
    if let Some(ids) = value["diagnostics"]["disabled"].as_array() {
        let ids = ids.iter().filter_map(Value::as_str);
        s.disabled_rules = ids.map(ToOwned::to_owned).collect();
    }
    s.hover = flag(&["hover", "enable"], s.hover);
    s.hover_plot = shows.pictures && flag(&["hover", "plot"], true);
    s.plain_tables = !shows.tables;
    s.hover_runs = flag(&["hover", "runs"], true);
    s.hover_documentation = flag(&["hover", "documentation"], s.hover_documentation);
    let on = |name: &str, default: bool| flag(&["features", name], default);
    s.features = Features {
        navigation: on("navigation", s.features.navigation),
        symbols: on("symbols", s.features.symbols),
        call_hierarchy: on("callHierarchy", s.features.call_hierarchy),
        folding: on("folding", s.features.folding),
        semantic_tokens: on("semanticTokens", s.features.semantic_tokens),
        completion: on("completion", s.features.completion),
    };
    let chosen = value["platform"].as_str().unwrap_or(AUTO);
    s.platform = platform(match &project.platform {
        Some(name) if chosen == AUTO => name,
        _ => chosen,
    });
    s.project = Some(Arc::clone(&project.project));
    if let Some(library) = value["library"].as_str() {
        library.clone_into(&mut s.library);
    }
    let dialect = value["dialect"].as_str().and_then(Dialect::from_name);
    s.dialect = dialect.or(project.dialect);
    s.expansions = flag(&["expansions"], true) && project.expansions.unwrap_or(true);
    s.code_actions = flag(&["codeActions", "enable"], s.code_actions);
    s.hints.behind_head = value["hints"]["position"] == "head";
    if let Some(t) = value["hints"]["threshold"]
        .as_str()
        .and_then(Threshold::parse)
    {
        s.hints.threshold = t;
    }
    s
}

/// Returns whether an object contains one of the settings that [`settings`] reads, without `costlens` around them.
pub(super) fn names_setting(value: &Value) -> bool {
    let is = |name: &str, has_type: fn(&Value) -> bool| value.get(name).is_some_and(has_type);
    let groups = ["hints", "hover", "diagnostics", "features", "codeActions"];
    is("enable", Value::is_boolean)
        || is("expansions", Value::is_boolean)
        || ["platform", "library", "dialect"]
            .iter()
            .any(|name| is(name, Value::is_string))
        || groups.iter().any(|name| is(name, Value::is_object))
}

/// The setting that selects a platform by the dialect of each file.
const AUTO: &str = "auto";

/// Returns the stored platform for a setting: for `auto` the platform for each dialect, for `""` none, otherwise the platform with this
/// name.
fn platform(name: &str) -> Option<Chosen> {
    let (all, _) = platforms::list();
    match name {
        "" => None,
        AUTO => {
            let of = |dialect: &Dialect| {
                let platform = platforms::of_dialect(&all, *dialect)?;
                Some((*dialect, platforms::calibrated(platform)))
            };
            let found = Dialect::ALL.iter().filter_map(of);
            Some(Chosen::OfDialect(found.collect()))
        }
        name => Some(match costlens_platform::find(&all, name) {
            Ok(found) => Chosen::Stored(platforms::calibrated(&found)),
            Err(_) => Chosen::Missing(name.to_owned()),
        }),
    }
}

/// The Markdown features that a client shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shows {
    pub(super) pictures: bool,
    pub(super) tables: bool,
}

/// Editors that show the source text of Markdown tables.
const WITHOUT_TABLES: [&str; 4] = ["Neovim", "Vim", "helix", "kakoune"];

/// Determines the Markdown features of a client: pictures if its initialization options say so, and tables unless the client is known not
/// to show them.
pub(super) fn shows(params: &lsp::InitializeParams) -> Shows {
    let options = params.initialization_options.as_ref();
    let name = params
        .client_info
        .as_ref()
        .map(|client| client.name.as_str());
    Shows {
        pictures: options.is_some_and(|options| option(options, "hoverPlot")),
        tables: name.is_none_or(|name| !WITHOUT_TABLES.contains(&name)),
    }
}

/// Returns whether the client can open documents with the scheme `costlens-library`, whose text it requests from the server.
pub(super) fn library_documents(options: &Value) -> bool {
    option(options, "libraryDocuments")
}

/// Returns whether the client has the command `costlens.profile`, which lenses at tests invoke.
pub(super) fn profile_lenses(options: &Value) -> bool {
    option(options, "profileLenses")
}

/// Returns whether the client supports `costlens/heat`, and colours the marks of a profile.
pub(super) fn profile_heat(options: &Value) -> bool {
    option(options, "profileHeat")
}

fn option(options: &Value, name: &str) -> bool {
    let options = options.get("costlens").unwrap_or(options);
    options[name].as_bool().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const BARE: Shows = Shows {
        pictures: false,
        tables: true,
    };
    const PICTURES: Shows = Shows {
        pictures: true,
        ..BARE
    };

    #[test]
    fn settings_come_bare_or_under_their_name() {
        let bare =
            json!({"hints": {"unknown": false, "threshold": "n^2"}, "hover": {"enable": false}});
        let s = settings(&bare, BARE, &ProjectFile::default());
        assert!(s.enable && s.hints.steps && !s.hints.unknown && !s.hover);
        assert_eq!(s.hints.threshold, Threshold::Quadratic);
        assert_eq!(
            settings(&json!({ "costlens": bare }), BARE, &ProjectFile::default()),
            s
        );
    }

    #[test]
    fn pictures_are_drawn_for_clients_that_show_them_unless_switched_off() {
        let off = json!({"hover": {"plot": false}});
        assert!(settings(&json!({}), PICTURES, &ProjectFile::default()).hover_plot);
        assert!(!settings(&off, PICTURES, &ProjectFile::default()).hover_plot);
        assert!(settings(&json!({}), PICTURES, &ProjectFile::default()).hover_runs);
        assert!(
            !settings(
                &json!({"hover": {"runs": false}}),
                PICTURES,
                &ProjectFile::default()
            )
            .hover_runs
        );
        assert!(
            !settings(
                &json!({"hover": {"plot": true}}),
                BARE,
                &ProjectFile::default()
            )
            .hover_plot
        );
        let client = |options: Value, name: &str| {
            let client = json!({"capabilities": {}, "initializationOptions": options, "clientInfo": {"name": name}});
            shows(&serde_json::from_value(client).unwrap())
        };
        assert!(client(json!({"hoverPlot": true}), "x").pictures);
        assert!(client(json!({"costlens": {"hoverPlot": true}}), "x").pictures);
        assert!(!client(off, "x").pictures);
        assert!(client(json!({}), "Visual Studio Code").tables);
        assert!(!client(json!({}), "Neovim").tables);
    }

    #[test]
    fn groups_of_features_are_switched_one_by_one() {
        let all = Features::default();
        let s = settings(
            &json!({"features": {"completion": false, "folding": 0}}),
            BARE,
            &ProjectFile::default(),
        );
        assert_eq!(
            s.features,
            Features {
                completion: false,
                ..all.clone()
            }
        );
        assert_eq!(
            settings(&json!({}), BARE, &ProjectFile::default()).features,
            all
        );
    }

    #[test]
    fn settings_of_the_wrong_shape_keep_their_defaults() {
        for odd in [
            json!(null),
            json!([1]),
            json!({"hints": 3, "enable": "yes"}),
            json!({"hints": {"threshold": "n!"}}),
        ] {
            assert_eq!(
                settings(&odd, BARE, &ProjectFile::default()),
                settings(&json!({}), BARE, &ProjectFile::default()),
                "{odd}"
            );
        }
    }

    #[test]
    fn a_stored_platform_is_found_by_its_name() {
        let on = |name: &str| {
            settings(&json!({ "platform": name }), BARE, &ProjectFile::default()).platform
        };
        let all = costlens_platform::stored().unwrap();
        let first = platforms::calibrated(&all[0]);
        assert_eq!(on(&all[0].name), Some(Chosen::Stored(first)));
        assert_eq!(on("x"), Some(Chosen::Missing("x".to_owned())));
        assert_eq!(on(""), None);
    }

    #[test]
    fn bytes_are_preferred_and_utf_16_is_the_default() {
        let with = |kinds: &[&'static str]| lsp::ClientCapabilities {
            general: Some(lsp::GeneralClientCapabilities {
                position_encodings: Some(
                    kinds
                        .iter()
                        .map(|k| lsp::PositionEncodingKind::new(k))
                        .collect(),
                ),
                ..Default::default()
            }),
            ..Default::default()
        };
        assert_eq!(
            encoding(&lsp::ClientCapabilities::default()),
            Encoding::Utf16
        );
        assert_eq!(encoding(&with(&["utf-16", "utf-8"])), Encoding::Utf8);
        assert_eq!(encoding(&with(&["utf-32", "utf-16"])), Encoding::Utf16);
        assert_eq!(encoding(&with(&["utf-32"])), Encoding::Utf32);
    }
}
