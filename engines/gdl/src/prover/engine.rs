//! The prover as an engine.

use play::{
    Adapted, CompileError, Compiled, Course, Engine, EngineId, Language, Limits, Replay,
    ReplayError, Rules,
};

use super::mechanics::ProverGame;

/// The engine `prover`: plays rulesheets in KIF without grounding them.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProverEngine;

impl Engine for ProverEngine {
    fn id(&self) -> EngineId {
        "prover"
    }

    fn languages(&self) -> &[Language] {
        &[Language::Kif]
    }

    fn lineage(&self) -> &'static str {
        crate::LINEAGE
    }

    fn compile(&self, rules: &Rules, limits: &Limits) -> Result<Compiled, CompileError> {
        let (mut game, warnings) = ProverGame::new(&rules.source, limits)?;
        game.says_all = rules.words.full;
        Ok(Compiled { game: Adapted::boxed(game), warnings })
    }

    fn replay(&self, rules: &Rules, record: &str, limits: &Limits) -> Result<Replay, ReplayError> {
        let (game, _) = ProverGame::new(&rules.source, limits)?;
        crate::record::replay(&game, record)
    }

    fn record(
        &self,
        rules: &Rules,
        courses: &[Course],
        limits: &Limits,
    ) -> Result<String, ReplayError> {
        let (game, _) = ProverGame::new(&rules.source, limits)?;
        super::write::write(rules.source.name(), &game, courses)
    }
}
