// The server's types by the names that we use.

import type { components } from "./api";

type Schemas = components["schemas"];
export type GameView = Schemas["GameView"];
export type FlatNode = Schemas["FlatNode"];
export type DeskView = Schemas["DeskView"];
export type DocumentEntry = Schemas["DocumentEntry"];
export type CollectionEntry = Schemas["CollectionEntry"];
export type CollectionPage = Schemas["CollectionPage"];
export type PositionText = Schemas["PositionText"];
export type DocumentView = Schemas["DocumentView"];
export type Made = Schemas["Made"];
export type Done = Schemas["Done"];
export type Hints = Schemas["Hints"];
export type Findings = Schemas["Findings"];
export type SamePosition = Schemas["SamePosition"];
export type Question = Schemas["Question"];
export type TaskView = Schemas["TaskView"];
export type PlayedGameView = Schemas["PlayedGameView"];
export type PlayedGames = Schemas["PlayedGames"];
export type WorkersView = Schemas["WorkersView"];
export type SystemView = Schemas["SystemView"];
export type PlaceView = Schemas["PlaceView"];
export type OpeningView = Schemas["OpeningView"];
export type OpeningMove = Schemas["OpeningMove"];
export type FamilyMap = Schemas["FamilyMap"];
export type FamilyCell = Schemas["FamilyCell"];
export type CampaignView = Schemas["CampaignView"];
export type Campaigns = Schemas["Campaigns"];
export type PuzzleView = Schemas["PuzzleView"];
export type PuzzleSets = Schemas["PuzzleSets"];
export type ProgressView = Schemas["ProgressView"];
export type MoveAnswer = Schemas["MoveAnswer"];
export type RightMove = Schemas["RightMove"];
export type TaskList = Schemas["TaskList"];
type Changed = Schemas["Changed"];
export type Change = Changed["changes"][number];
export type ServerEvent = Changed | Schemas["DeskChanged"] | Schemas["GameChanged"] | Schemas["TaskChanged"] | { on: "hello"; version: string };

// What the answers of analyses hold, by their kinds.
export interface Candidate {
  order: number;
  move: string;
  win: number | null;
  status: string | null;
  line: string[];
  depth: number | null;
  nodes: number | null;
}
