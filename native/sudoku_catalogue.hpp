// All essentially different grids, one after the other: the canonical grids in their order.
#pragma once

#include <vector>

#include "meter.hpp"
#include "sudoku_canonical.hpp"

namespace tengen::sudoku {

class Catalogue {
public:
    // Finds up to `most` canonical grids that come after `start` (which need not be canonical).
    Catalogue(const Grid& start, std::size_t most, Meter& meter) : start_(start), most_(most), meter_(meter) {}

    std::vector<Grid> run() {
        fill(0, true);
        return std::move(found_);
    }

private:
    // Cell by cell, smallest digit first; `follows` while all digits are those of the start.
    bool fill(int cell, bool follows) {
        if (cell == 81) {
            meter_.look();
            if (!follows && !Canonizer(grid_, true).is_beaten()) found_.push_back(grid_);
            return found_.size() < most_;
        }
        const int row = cell / 9, column = cell % 9, box = row / 3 * 3 + column / 3;
        for (int digit = follows ? start_[std::size_t(cell)] : 0; digit < 9; ++digit) {
            const unsigned bit = 1u << digit;
            if ((rows_[row] | columns_[column] | boxes_[box]) & bit) continue;
            if (!may_be_canonical(cell, digit)) continue;
            grid_[std::size_t(cell)] = std::uint8_t(digit);
            rows_[row] |= bit, columns_[column] |= bit, boxes_[box] |= bit;
            const bool goes_on = fill(cell + 1, follows && digit == start_[std::size_t(cell)]);
            rows_[row] ^= bit, columns_[column] ^= bit, boxes_[box] ^= bit;
            if (!goes_on) return false;
        }
        return true;
    }

    // What every canonical grid has: 1 to 9 in the first row, and a first column that rises in every band and from band to band.
    bool may_be_canonical(int cell, int digit) const {
        if (cell < 9) return digit == cell;
        if (cell % 9) return true;
        if (cell / 9 % 3) return digit > grid_[std::size_t(cell - 9)];
        return digit > grid_[std::size_t(cell - 27)];
    }

    Grid start_, grid_{};
    std::size_t most_;
    Meter& meter_;
    unsigned rows_[9] = {}, columns_[9] = {}, boxes_[9] = {};
    std::vector<Grid> found_;
};

}  // namespace tengen::sudoku
