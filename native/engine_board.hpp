// A position as the engine sees it: a board for each side as the attacker, and the evaluation that follows them.
#pragma once

#include <memory>

#include "evaluation.hpp"
#include "pairs.hpp"

namespace tengen {

template <class PositionType>
class EngineBoard {
public:
    // `boards`: the position with Black and with White as the attacker.
    EngineBoard(std::array<PositionType, 2>&& boards, std::unique_ptr<Evaluation> evaluation, bool maker_breaker)
        : boards_(std::move(boards)), evaluation_(std::move(evaluation)), maker_breaker_(maker_breaker) {}

    void play(const Stones& move, int colour) {
        for (Square s : move) {
            boards_[black].place(s, colour == black ? attacker : defender);
            boards_[white].place(s, colour == white ? attacker : defender);
            evaluation_->place(s, colour);
        }
    }

    void take_back(const Stones& move, int colour) {
        for (Square s : move) {
            boards_[black].remove(s);
            boards_[white].remove(s);
            evaluation_->remove(s, colour);
        }
    }

    // The board on which that side attacks.
    PositionType& of(int side) { return boards_[std::size_t(side)]; }
    const PositionType& of(int side) const { return boards_[std::size_t(side)]; }
    Evaluation& evaluation() { return *evaluation_; }
    const Evaluation& evaluation() const { return *evaluation_; }

    int p() const { return boards_[black].p(); }
    const Geometry& geometry() const { return boards_[black].geometry(); }
    std::uint64_t key() const { return boards_[black].key(); }
    bool is_empty(Square s) const { return boards_[black].is_empty(s); }
    const typename PositionType::SquareSet& empty() const { return boards_[black].empty(); }

    // In a maker-breaker game the breaker has no rows to make.
    bool can_win(int side) const { return !(maker_breaker_ && side == white); }
    bool has_row(int side) const { return can_win(side) && of(side).has_row(attacker); }
    bool has_row_in(int side, int stones) const { return can_win(side) && of(side).fillable(attacker, stones) >= 0; }
    bool threatens(int side) const { return can_win(side) && of(side).threatens(attacker); }
    // How many stones it takes to meet the threats of a side, or p + 1 if more than p; 0 if `is_over` says so before that is known.
    template <class IsOver>
    int threats(int side, IsOver is_over) const {
        return can_win(side) ? threat_number(of(side), is_over) : 0;
    }
    // Every way to meet them with so many stones from which none can be left out; without threats, no stone at all. False if `is_over`
    // says so before all are found.
    template <class IsOver>
    bool defences_against(int side, int stones, std::vector<Stones>& defences, IsOver is_over) const {
        defences.assign(1, Stones());
        return !can_win(side) || critical_defences(of(side), stones, defences, is_over);
    }

private:
    std::array<PositionType, 2> boards_;
    std::unique_ptr<Evaluation> evaluation_;
    bool maker_breaker_;
};

}  // namespace tengen
