// The door between Python and the native core. Type stubs: src/tengen/_native.pyi.
#include "bindings.hpp"

NB_MODULE(_native, m) {
    // What nanobind calls leaked is held by threads that still run when the interpreter ends, such as those of a server. That the
    // bindings themselves keep nothing is seen in tests/test_native.py.
    nanobind::set_leak_warnings(false);
    tengen::bind_board(m);
    tengen::bind_agents(m);
    tengen::bind_engine(m);
    tengen::bind_maker_breaker(m);
    tengen::bind_solver(m);
    tengen::bind_small_game(m);
    tengen::bind_sudoku(m);
    tengen::bind_threats(m);
    tengen::bind_verifier(m);
}
