// The door to minimum Sudoku.
#include "bindings.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind_search.hpp"
#include "sudoku_bands.hpp"
#include "sudoku_catalogue.hpp"
#include "sudoku_dmus.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace tengen {
namespace {

using namespace sudoku;

using Numbers = std::vector<int>;

Grid grid_of(const Numbers& digits) {
    if (digits.size() != 81) throw nb::value_error("a grid has 81 digits");
    Grid grid;
    for (std::size_t i = 0; i < 81; ++i) {
        if (digits[i] < 0 || digits[i] > 8) throw nb::value_error("a digit is 0 to 8");
        grid[i] = std::uint8_t(digits[i]);
    }
    return grid;
}

Cells cells_of(const Numbers& numbers) {
    Cells cells;
    for (int cell : numbers) {
        if (cell < 0 || cell > 80) throw nb::value_error("a cell is 0 to 80");
        cells.add(cell);
    }
    return cells;
}

Numbers numbers_of(const Cells& cells) {
    Numbers numbers;
    cells.each([&](int cell) { numbers.push_back(cell); });
    return numbers;
}

Numbers numbers_of(const Grid& grid) { return {grid.begin(), grid.end()}; }

template <class Items>
nb::list lists_of(const Items& items) {
    nb::list lists;
    for (const auto& item : items) lists.append(nb::cast(numbers_of(item)));
    return lists;
}

// What a search has counted, by names.
template <class Counted, std::size_t size>
nb::dict figures_of(const Counted& counted, const std::pair<const char*, std::uint64_t Counted::*> (&names)[size]) {
    nb::dict figures;
    for (const auto& [name, number] : names) figures[name] = counted.*number;
    return figures;
}

// Runs a search without the interpreter's lock, and `tell` now and then with it; false if it was ended before its time.
template <class Search>
bool run(Control& control, double seconds, Search search, std::function<void()> tell = [] {}) {
    Visits visits(control, std::move(tell));
    bool is_complete = true;
    {
        const nb::gil_scoped_release release;
        Meter meter(control, 0, seconds);
        try {
            search(meter);
        } catch (const Stopped&) {
            is_complete = false;
        }
        control.nodes.store(meter.nodes());
    }
    visits.rethrow();
    return is_complete;
}

}  // namespace

void bind_sudoku(nb::module_& m) {
    m.def(
        "sudoku_solutions",
        [](const Numbers& digits, const Numbers& clues, std::size_t most) {
            const Grid grid = grid_of(digits);
            const Cells given = cells_of(clues);
            std::vector<Grid> found;
            {
                const nb::gil_scoped_release release;
                if (most > 0)
                    sudoku::Solver::solve(grid, given, [&](const Grid& solution) {
                        found.push_back(solution);
                        return found.size() >= most;
                    });
            }
            return lists_of(found);
        },
        "digits"_a, "clues"_a, "most"_a);
    m.def(
        "sudoku_sets",
        [](const Numbers& digits, const std::vector<Numbers>& regions, int most) {
            const Grid grid = grid_of(digits);
            std::vector<Cells> cells, found;
            for (const Numbers& region : regions) cells.push_back(cells_of(region));
            {
                const nb::gil_scoped_release release;
                SetFinder finder(grid, found);
                for (const Cells& region : cells) finder.search(region, most);
                keep_minimal(found);
            }
            return lists_of(found);
        },
        "digits"_a, "regions"_a, "most"_a);
    m.def(
        "sudoku_bands",
        [](Control& control, const Numbers& digits, int clues, const Numbers& given, const Numbers& allowed, double seconds,
           nb::object progress) {
            const Grid grid = grid_of(digits);
            const Cells must = cells_of(given), may = cells_of(allowed) | must;
            BandsResult result;
            std::size_t told = 0;
            const auto tell = [&] {
                if (progress.is_none()) return;
                const std::vector<Cells> fresh(result.puzzles.begin() + std::ptrdiff_t(told), result.puzzles.end());
                told = result.puzzles.size();
                progress(control.nodes.load(), lists_of(fresh));
            };
            const auto search = [&](Meter& meter) {
                std::make_unique<BandsSearch>(grid, clues, must, may, meter, result)->run();
            };
            const bool is_complete = run(control, seconds, search, tell);
            nb::dict figures = figures_of(result, {{"sets", &BandsResult::sets},
                                                   {"learned", &BandsResult::learned},
                                                   {"joined", &BandsResult::joined},
                                                   {"completed", &BandsResult::completed},
                                                   {"solved", &BandsResult::solved}});
            figures["by_stacks"] = result.by_stacks;
            figures["pairs"] = result.pairs;
            return nb::make_tuple(is_complete, lists_of(result.puzzles), result.certificate, figures);
        },
        "control"_a, "digits"_a, "clues"_a, "given"_a, "allowed"_a, "seconds"_a, "progress"_a.none() = nb::none());
    m.attr("MAX_DMUS_SETS") = DmusSearch::most_sets;
    m.def(
        "sudoku_dmus",
        [](Control& control, const Numbers& digits, const std::vector<Numbers>& sets, const Numbers& universe, int clues,
           int disjoint, int shrinks, bool fewest_live, bool busiest_first, double seconds) {
            if (sets.size() > std::size_t(DmusSearch::most_sets)) throw nb::value_error("there are too many sets");
            if (clues < 0 || clues > 81) throw nb::value_error("a puzzle has 0 to 81 clues");
            std::vector<Cells> cells;
            for (const Numbers& set : sets) cells.push_back(cells_of(set));
            DmusSearch::Judge judge = [](const Cells&) { return true; };
            if (!digits.empty())
                judge = [grid = grid_of(digits)](const Cells& puzzle) {
                    int solutions = 0;
                    sudoku::Solver::solve(grid, puzzle, [&](const Grid&) { return ++solutions > 1; });
                    return solutions == 1;
                };
            const Cells everywhere = cells_of(universe);
            std::unique_ptr<DmusSearch> search;
            const bool is_complete = run(control, seconds, [&](Meter& meter) {
                const DmusOptions options{disjoint, shrinks, fewest_live, busiest_first};
                search = std::make_unique<DmusSearch>(cells, everywhere, clues, options, judge, meter);
                search->run();
            });
            nb::list levels;
            for (const DmusLevel& level : search->levels)
                levels.append(figures_of(level, {{"nodes", &DmusLevel::nodes},
                                                 {"disjoint", &DmusLevel::disjoint},
                                                 {"more", &DmusLevel::more},
                                                 {"equal", &DmusLevel::equal},
                                                 {"pruned", &DmusLevel::pruned},
                                                 {"shrunk", &DmusLevel::shrunk},
                                                 {"unchanged", &DmusLevel::unchanged},
                                                 {"children", &DmusLevel::children}}));
            return nb::make_tuple(is_complete, lists_of(search->found), search->judged, levels);
        },
        "control"_a, "digits"_a, "sets"_a, "universe"_a, "clues"_a, "disjoint"_a, "shrinks"_a, "fewest_live"_a,
        "busiest_first"_a, "seconds"_a);
    m.def(
        "sudoku_canonical",
        [](const Numbers& digits) {
            const Canonical best = Canonizer(grid_of(digits)).best();
            return nb::make_tuple(numbers_of(best.grid), Numbers(best.from.begin(), best.from.end()), best.automorphisms);
        },
        "digits"_a);
    m.def(
        "sudoku_catalogue",
        [](Control& control, const Numbers& after, std::size_t most) {
            const Grid begin = grid_of(after);
            std::vector<Grid> found;
            run(control, 0, [&](Meter& meter) { found = Catalogue(begin, most, meter).run(); });
            return lists_of(found);
        },
        "control"_a, "after"_a, "most"_a);
}

}  // namespace tengen
