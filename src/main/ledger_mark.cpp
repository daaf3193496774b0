#include "main/ledger_mark.hpp"

#include <charconv>
#include <fstream>
#include <memory>

#include "adapters/sql/rows.hpp"
#include "adapters/sqlite/upkeep/audit.hpp"
#include "adapters/system/secret_file.hpp"
#include "base/outage.hpp"

namespace sluice {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Replaces the one before, in one step, and waits for the disk.
void write_text(const fs::path& file, const std::string& text) {
    auto draft = file;
    draft += ".new";
    write_secret(draft, text);
    fs::rename(draft, file);
    sync_folder(file.parent_path());
}

std::int64_t read_newest_order(const fs::path& file) {
    auto database = sqlite::Database::open_reader(file);
    return database.value<std::int64_t>(
        "SELECT max(coalesce((SELECT max(id) FROM orders), 0), "
        "coalesce((SELECT max(last_order) FROM archived_sales), 0))");
}

std::int64_t read_mark(const fs::path& file) {
    const auto text = read_text(file);
    std::int64_t order = 0;
    std::from_chars(text.data(), text.data() + text.size(), order);
    return order;
}

}  // namespace

LedgerMark::LedgerMark(const DataFolder& folder)
    : database_(folder.database()),
      mark_(sqlite::mark_file_of(folder.database())),
      loss_(sqlite::loss_file_of(folder.database())),
      thread_("ledger-mark", 1, 1) {}

std::optional<std::string> LedgerMark::find_loss() {
    noted_ = read_mark(mark_);
    if (fs::exists(loss_)) return read_text(loss_);
    const auto newest = read_newest_order(database_);
    if (newest >= noted_) return std::nullopt;
    auto loss = "order " + std::to_string(noted_) + " was on record, and the newest is now " +
                (newest > 0 ? std::to_string(newest) : "none") +
                ": the disk has lost what it had reported as written";
    write_text(loss_, loss);
    return loss;
}

Task<> LedgerMark::note() {
    co_await note_on_thread();
}

Task<Done> LedgerMark::note_on_thread() {
    auto start = [this](Completion<Done> completion) {
        auto tell = std::make_shared<Completion<Done>>(std::move(completion));
        const bool taken = thread_.submit([this, tell] {
            try {
                note_newest();
                (*tell)(nullptr, Done{});
            } catch (...) {
                (*tell)(std::current_exception(), Done{});
            }
        });
        if (!taken) (*tell)(std::make_exception_ptr(Overload("the last note is not written")), {});
    };
    return await_completion<Done>(std::move(start));
}

void LedgerMark::note_newest() {
    // An order is visible to others only after its flush, so the note is never ahead of the disk.
    const auto newest = read_newest_order(database_);
    if (newest <= noted_) return;
    write_text(mark_, std::to_string(newest) + "\n");
    noted_ = newest;
}

}  // namespace sluice
