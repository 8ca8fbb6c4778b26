// The transposition table of a search. Threads share it without locks: an entry whose two halves do not belong together is
// seen as absent.
#pragma once

#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>

#include "threats.hpp"

namespace tengen {

class Table {
public:
    static constexpr int never = 0;        // no win known
    static constexpr int exhausted = 255;  // no win at any depth

    struct Entry {
        int failed = 0;  // no win within that many attacking moves
        int won = never; // a win within that many
        Stones move;     // that wins; empty if it has more stones than an entry can hold
    };

    // A table for one thread starts small and grows with the search, since clearing a large one would take longer than most
    // searches. Several threads cannot agree on when to grow, so theirs has its full size from the start.
    Table(int bits, bool shared) : full_bits_(bits), grows_(!shared) { allocate(shared ? bits : std::min(bits, 13)); }

    bool find(std::uint64_t key, Entry& entry) const {
        Slot& slot = slots_.get()[key & mask_];
        const std::uint64_t data = Shared(slot.data).load(std::memory_order_relaxed);
        if ((Shared(slot.check).load(std::memory_order_relaxed) ^ data) != key || data == 0) return false;
        entry.failed = int(data & 255);
        entry.won = int(data >> 8 & 255);
        entry.move = Stones();
        const int count = int(data >> 16 & 3);
        for (int i = 0; i < count; ++i) entry.move.add(Square(data >> (18 + 15 * i) & 0x7fff));
        return true;
    }

    void store(std::uint64_t key, const Entry& entry) {
        std::uint64_t data = std::uint64_t(entry.failed) | std::uint64_t(entry.won) << 8;
        if (entry.move.count <= 3) {
            data |= std::uint64_t(entry.move.count) << 16;
            for (int i = 0; i < entry.move.count; ++i) data |= std::uint64_t(entry.move.squares[std::size_t(i)]) << (18 + 15 * i);
        }
        if (grows_ && bits_ < full_bits_ && ++stored_ * 2 > mask_) grow();
        Slot& slot = slots_.get()[key & mask_];
        Shared(slot.data).store(data, std::memory_order_relaxed);
        Shared(slot.check).store(key ^ data, std::memory_order_relaxed);
    }

private:
    struct Slot {
        std::uint64_t check, data;
    };
    using Shared = std::atomic_ref<std::uint64_t>;

    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };

    void allocate(int bits) {
        bits_ = bits;
        mask_ = (std::uint64_t(1) << bits) - 1;
        stored_ = 0;
        slots_.reset(static_cast<Slot*>(std::calloc(std::size_t(mask_) + 1, sizeof(Slot))));
        if (!slots_) throw std::bad_alloc();
    }

    void grow() {
        const std::unique_ptr<Slot, Free> old = std::move(slots_);
        const std::uint64_t old_mask = mask_;
        allocate(std::min(bits_ + 2, full_bits_));
        for (std::uint64_t i = 0; i <= old_mask; ++i) {
            const Slot& slot = old.get()[i];
            if (slot.data != 0) slots_.get()[(slot.check ^ slot.data) & mask_] = slot;
        }
    }

    int full_bits_, bits_ = 0;
    bool grows_;
    std::uint64_t mask_ = 0, stored_ = 0;
    std::unique_ptr<Slot, Free> slots_;
};

}  // namespace tengen
