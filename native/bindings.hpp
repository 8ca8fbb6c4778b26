// The parts of the native module, one for each room that owns one.
#pragma once

#include <nanobind/nanobind.h>

namespace tengen {

void bind_agents(nanobind::module_& m);
void bind_board(nanobind::module_& m);
void bind_engine(nanobind::module_& m);
void bind_maker_breaker(nanobind::module_& m);
void bind_small_game(nanobind::module_& m);
void bind_solver(nanobind::module_& m);
void bind_sudoku(nanobind::module_& m);
void bind_threats(nanobind::module_& m);
void bind_verifier(nanobind::module_& m);

}  // namespace tengen
