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

    // calloc hands out pages that are cleared when they are first touched, so a large table costs a small search nothing.
    explicit Table(int bits)
        : mask_((std::uint64_t(1) << bits) - 1),
          slots_(static_cast<Slot*>(std::calloc(std::size_t(mask_) + 1, sizeof(Slot))), &std::free) {
        if (!slots_) throw std::bad_alloc();
    }

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
        Slot& slot = slots_.get()[key & mask_];
        Shared(slot.data).store(data, std::memory_order_relaxed);
        Shared(slot.check).store(key ^ data, std::memory_order_relaxed);
    }

private:
    struct Slot {
        std::uint64_t check, data;
    };
    using Shared = std::atomic_ref<std::uint64_t>;
    std::uint64_t mask_;
    std::unique_ptr<Slot, void (*)(void*)> slots_;
};

}  // namespace tengen
