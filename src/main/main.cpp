#include <cstdio>
#include <exception>

#include <CLI/CLI.hpp>
#include <sodium.h>
#include <unistd.h>

#include "main/commands.hpp"
#include "main/description.hpp"

namespace sluice {
namespace {

/// For options that may be absent. An empty value, such as from an unset variable of a script,
/// would otherwise count as absent.
const CLI::Validator not_empty(
    [](const std::string& text) { return text.empty() ? "must not be empty" : std::string{}; }, "");

/// The options of every subcommand.
struct Common {
    std::string config_file;
    std::string data;
    std::string listen;
    std::string roles;
    std::vector<std::string> settings;

    void add_to(CLI::App& command) {
        command.add_option("--config", config_file, "Configuration file (TOML)")
            ->type_name("FILE")
            ->check(not_empty);
        command.add_option("--data", data, "Data folder, before anything the file says [./data]")
            ->type_name("DIR")
            ->check(not_empty);
        command
            .add_option("--set", settings,
                        "Any key of the configuration, such as http.body_bytes=4096")
            ->type_name("KEY=VALUE");
    }

    std::optional<std::filesystem::path> file() const {
        if (config_file.empty()) return std::nullopt;
        return config_file;
    }

    Loaded load(bool demo = false) const {
        Sources sources{
            .file = file(), .environment = environment_of(environ), .flags = {}, .demo = demo};
        if (!data.empty()) sources.flags.emplace_back("data", data);
        if (!listen.empty()) sources.flags.emplace_back("listen", listen);
        if (!roles.empty()) sources.flags.emplace_back("roles", roles);
        for (const auto& setting : settings) {
            const auto equals = setting.find('=');
            if (equals == setting.npos)
                throw ConfigError("--set " + setting + ": must be KEY=VALUE");
            sources.flags.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
        }
        return load_config(sources);
    }
};

// One function for each subcommand: its name, its options, and what it calls. Options live as long
// as the parser.

void add_import(CLI::App& user_app, Common& common, int& code) {
    struct Options {
        std::string file;
        std::string scheme{legacy_schemes().front().name};
        bool skip_existing = false;
        bool dry_run = false;
    };
    const auto options = std::make_shared<Options>();
    std::vector<std::string> schemes;
    for (const auto& scheme : legacy_schemes()) schemes.emplace_back(scheme.name);

    auto* app = user_app.add_subcommand(
        "import", "Take over the users of an older shop, with the passwords they have");
    common.add_to(*app);
    app->add_option("FILE", options->file, "CSV in UTF-8: phone,name,salt,hash,role")
        ->required()
        ->check(CLI::ExistingFile);
    app->add_option("--scheme", options->scheme, "How the hashes were made")
        ->capture_default_str()
        ->check(CLI::IsMember(schemes));
    app->add_flag(
        "--skip-existing", options->skip_existing,
        "Leave users whose phone is known as they are; also to go on after an interruption");
    app->add_flag("--dry-run", options->dry_run, "Only say what would be done");
    app->footer(
        "The salt that all passwords share is accounts.legacy_fixed_salt of the "
        "configuration.");
    app->callback([options, &common, &code] {
        code = import_command(common.load().config, {.file = options->file,
                                                     .scheme = find_legacy_scheme(options->scheme),
                                                     .skip_existing = options->skip_existing,
                                                     .dry_run = options->dry_run});
    });
}

SaleId parse_sale(const char* option, const std::string& text) {
    const auto sale = SaleId::parse(text);
    if (!sale) throw CLI::ValidationError(option, text + " is not the id of a sale");
    return *sale;
}

void add_archive(CLI::App& parent, Common& common, int& code) {
    struct Options {
        std::uint32_t days = ArchiveCommand{}.days;
        std::string sale;
        std::string bring_back;
        bool dry_run = false;
    };
    const auto options = std::make_shared<Options>();
    auto* app = parent.add_subcommand(
        "archive", "Move sales that ended long ago into the archive, also while the server runs");
    common.add_to(*app);
    app->add_option("--days", options->days, "Sales that ended at least so many days ago")
        ->capture_default_str()
        ->check(CLI::Range(1u, 36'500u));
    auto* sale = app->add_option("--sale", options->sale, "Only this sale")
                     ->type_name("ID")
                     ->check(not_empty);
    auto* dry_run = app->add_flag("--dry-run", options->dry_run, "Only say what would be moved");
    app->add_option("--bring-back", options->bring_back, "Move this sale back into the ledger")
        ->type_name("ID")
        ->check(not_empty)
        ->excludes(sale)
        ->excludes(dry_run);
    app->footer(
        "Orders, tickets, holdings and payments move; the sale itself stays listed. Pages, the\n"
        "console, CSV and the audit read both, backups hold both. The archive is archive.db "
        "beside\n"
        "the ledger, or tables of their own in a MariaDB database. A sale with pending orders, "
        "owed\n"
        "refunds or kept deliveries stays, and is named. Money that comes late, or a refund, "
        "brings\n"
        "its sale back by itself. Rows move in steps, so that purchases hardly wait.\n"
        "Exit code: 0 done, 1 the sale that was named stays, or something failed.");
    app->callback([options, &common, &code] {
        ArchiveCommand command{.days = options->days,
                               .sale = std::nullopt,
                               .dry_run = options->dry_run,
                               .bring_back = std::nullopt};
        if (!options->sale.empty()) command.sale = parse_sale("--sale", options->sale);
        if (!options->bring_back.empty())
            command.bring_back = parse_sale("--bring-back", options->bring_back);
        code = archive_command(common.load().config, command);
    });
}

void add_serve(CLI::App& parent, Common& common, int& code) {
    const auto options = std::make_shared<ServeOptions>();
    auto* app = parent.add_subcommand("serve", "Run the server");
    common.add_to(*app);
    app->add_option("--listen", common.listen,
                    "Where to listen; port 0 takes a free one [127.0.0.1:8080]")
        ->type_name("HOST:PORT")
        ->check(not_empty);
    app->add_option("--role", common.roles,
                    "What this node does, of edge, writer and keeper, with commas [all of it]")
        ->type_name("ROLES")
        ->check(not_empty);
    app->add_flag(
        "--demo", options->demo,
        "Fill an empty store with demo items, sales and logins, and print the logins; "
        "orders\nare paid and messages shown at the sandbox, unless payments.provider and "
        "sms.provider\nsay otherwise");
    app->add_flag("--trust-clock", options->trust_clock,
                  "The system's clock is right: begin with its time instead of going on from "
                  "the last\nserver's, which it would be brought to agree with gradually");
    app->callback(
        [options, &common, &code] { code = serve(common.load(options->demo), *options); });
}

void add_migrate(CLI::App& parent, Common& common, int& code) {
    auto* app =
        parent.add_subcommand("migrate", "Bring the database up to date; serve does it too");
    common.add_to(*app);
    app->callback([&] { code = migrate_command(common.load().config); });
}

void add_check_config(CLI::App& parent, Common& common, int& code) {
    auto* app = parent.add_subcommand("check-config",
                                      "Say whether the configuration is fine, and if not, where");
    const auto production = std::make_shared<bool>(false);
    common.add_to(*app);
    app->add_flag("--production", *production,
                  "Also list what should not be so before customers, each with the line to change");
    app->footer("Exit code: 0 fine, 1 not, or with --production something is listed.");
    app->callback([production, &common, &code] {
        const auto loaded = common.load();
        code = *production ? check_production(loaded) : check_config(common.file());
    });
}

void add_backup(CLI::App& parent, Common& common, int& code) {
    const auto file = std::make_shared<std::string>();
    auto* app = parent.add_subcommand("backup", "Copy the database, also while the server runs");
    common.add_to(*app);
    app->add_option("FILE", *file, "The copy; must not exist yet")->required();
    app->footer(
        "The copy is a SQLite file, also of a MariaDB ledger: sluice restore puts it into either "
        "kind. It is proven as a restore would prove it.\n"
        "Exit code: 0 made and proven, 1 none was made, 3 made, but it breaks a promise.");
    app->callback([file, &common, &code] { code = backup_command(common.load().config, *file); });
}

void add_restore(CLI::App& parent, Common& common, int& code) {
    struct Options {
        std::string file;
        RestoreCommand command;
    };
    const auto options = std::make_shared<Options>();
    auto* app = parent.add_subcommand("restore",
                                      "Put a backup in the database's place, while no server runs");
    common.add_to(*app);
    app->add_option("FILE", options->file, "Made by sluice backup; it stays as it is")->required();
    app->add_option("--accept", options->command.accept,
                    "Also if the backup breaks this promise, by its name in the audit, such as "
                    "\"I7 windows\"; the audit trail lists what was accepted. May be repeated")
        ->type_name("NAME")
        ->allow_extra_args(false);
    app->add_flag("--replace", options->command.replace,
                  "Also if there is something in the database; it is kept beside the new one");
    app->footer(
        "The backup is checked, brought up to date and audited before anything is changed. Then "
        "it\n"
        "takes its place, with its archive; what was there is kept. Killed in that moment, it is\n"
        "finished by the next start or command. All sessions have ended afterwards. It holds no\n"
        "keys: see docs/restore.md for what to do with master.key and pass.keys, and with a "
        "backup\n"
        "that breaks a promise.\n"
        "Exit code: 0 restored, 1 refused or failed, with the old database in its place.");
    app->callback([options, &common, &code] {
        options->command.from = options->file;
        code = restore_command(common.load().config, options->command);
    });
}

void add_move(CLI::App& parent, Common& common, int& code) {
    const auto to = std::make_shared<std::string>();
    auto* app = parent.add_subcommand(
        "move", "Take the ledger from SQLite to MariaDB or back, while no server runs");
    common.add_to(*app);
    app->add_option("--to", *to,
                    "mariadb://host[:port]/database, mariadb://localhost/database?socket=/path, or "
                    "sqlite:DIR for a data folder")
        ->type_name("LEDGER")
        ->required();
    app->footer(
        "Everything is copied, also what is archived, into a database without a ledger of its own. "
        "The\n"
        "user and the password for MariaDB are those of the configuration (ledger.user, "
        "ledger.password_file).\n"
        "Both sides are audited, and the rows compared. Killed at any moment, the same command "
        "goes "
        "on;\n"
        "until it is done no server and no other command uses the new ledger. The old one stays as "
        "it\n"
        "is. Keys are not moved: see docs/restore.md.\n"
        "Exit code: 0 moved, 1 refused or failed, with the old ledger as it was.");
    app->callback([to, &common, &code] { code = move_command(common.load().config, *to); });
}

void add_mint(CLI::App& parent, Common& common, int& code) {
    struct Options {
        std::uint32_t buyers = 0;
        std::string file;
    };
    const auto options = std::make_shared<Options>();
    auto* app = parent.add_subcommand(
        "mint", "Make buyers with sessions for load tests: one token a line, valid for a day");
    common.add_to(*app);
    app->add_option("--buyers", options->buyers, "How many")
        ->required()
        ->check(CLI::Range(1u, 10'000'000u));
    app->add_option("--out", options->file, "Write the tokens here instead of to standard output")
        ->type_name("FILE")
        ->check(not_empty);
    app->footer(
        "A load test from one address counts as ten people of one household, and hears "
        "rate_limited\n"
        "soon. Start the server with --set limits.exempt=127.0.0.0/8 (the load generator's "
        "network).\n"
        "Limits by buyer stay in force, so give each virtual user a token of its own.");
    app->callback([options, &common, &code] {
        std::optional<std::filesystem::path> out;
        if (!options->file.empty()) out = options->file;
        code = mint(common.load().config, options->buyers, out);
    });
}

void add_audit(CLI::App& parent, Common& common, int& code) {
    struct Options {
        std::string sale;
        AuditCommand command;
    };
    const auto options = std::make_shared<Options>();
    auto* app = parent.add_subcommand(
        "audit", "Prove the promises on the stored data, also while the server runs");
    common.add_to(*app);
    app->add_option("--sale", options->sale, "Only this sale")->type_name("ID")->check(not_empty);
    auto* json = app->add_flag("--json", options->command.json, "Write the checks as JSON");
    auto* repair = app->add_flag("--repair", options->command.repair,
                                 "Say what would be done about hot copies in Redis that do not "
                                 "heal by themselves");
    repair->excludes(json);
    app->add_flag("--yes", options->command.yes, "With --repair: do it")->needs(repair);
    app->footer(
        "With hot.kind = \"redis\" the hot copy of each sale is compared with the ledger too, "
        "while "
        "it\n"
        "sells. What heals by itself is listed and breaks no promise: a copy that a server fills "
        "within\n"
        "seconds, rows of the hot outbox that are not applied yet, claims that are open. A "
        "difference\n"
        "that nothing explains breaks one; --repair --yes fills that copy anew, under a new epoch, "
        "as\n"
        "servers do when they find the sale at rest.\n"
        "Exit code: 0 all hold, 1 one is violated, 2 could not tell, also when Redis does not "
        "answer.");
    app->callback([options, &common, &code] {
        if (!options->sale.empty()) options->command.sale = parse_sale("--sale", options->sale);
        code = audit_command(common.load().config, options->command);
    });
}

void add_canonical_phones(CLI::App& user_app, Common& common, int& code) {
    const auto dry_run = std::make_shared<bool>(false);
    auto* app = user_app.add_subcommand("canonical-phones",
                                        "Write all phones in the form of accounts.country");
    common.add_to(*app);
    app->add_flag("--dry-run", *dry_run, "Only say what would be done");
    app->footer(
        "Nobody needs it to log in: phones are found in every spelling. Where several accounts "
        "have\n"
        "one phone, none of them is changed; they are listed, and each is still found by its own\n"
        "spelling.\n"
        "Exit code: 0 also when some are listed.");
    app->callback([dry_run, &common, &code] {
        code = canonical_phones_command(common.load().config, *dry_run);
    });
}

void add_user(CLI::App& parent, Common& common, int& code) {
    struct Options {
        UserCommand command{};
        std::string role;
        bool password_stdin = false;
    };
    const auto options = std::make_shared<Options>();
    auto* user =
        parent.add_subcommand("user", "Add users and change them, also while the server runs");
    user->require_subcommand(1);
    const auto add = [&](UserCommand::What what, const char* name, const char* purpose) {
        auto* app = user->add_subcommand(name, purpose);
        common.add_to(*app);
        app->add_option("--phone", options->command.phone, "Whom")->required();
        app->callback([options, what, &common, &code] {
            options->command.what = what;
            options->command.role = parse_role(options->role).value_or(Role::buyer);
            code = user_command(common.load().config, options->command);
        });
        return app;
    };
    const auto add_role = [&](CLI::App& app) {
        app.add_option("--role", options->role, "buyer, support, operator or admin")
            ->required()
            ->check(CLI::IsMember({"buyer", "support", "operator", "admin"}));
    };
    const auto add_password = [&](CLI::App& app) {
        app.add_flag("--password-stdin", options->password_stdin,
                     "The password is the first line of standard input")
            ->required();
    };
    using What = UserCommand::What;
    auto* new_user = add(What::add, "add", "Add a user and print their id");
    add_role(*new_user);
    add_password(*new_user);
    new_user->add_option("--name", options->command.name, "How to call them");
    add_role(*add(What::set_role, "set-role", "Change what a user may do"));
    add_password(*add(What::set_password, "set-password",
                      "Change a user's password and end their sessions"));
    add(What::log_out, "log-out", "End all sessions of a user");
    add(What::remove_second_factor, "remove-second-factor",
        "Let a user in without the second factor they have lost");
    add_canonical_phones(*user, common, code);
    add_import(*user, common, code);
}

void add_keys(CLI::App& parent, Common& common, int& code) {
    auto* keys = parent.add_subcommand(
        "keys", "List and rotate the keys that sign passes, also while the server runs");
    keys->require_subcommand(1);
    auto* rotate = keys->add_subcommand("rotate", "Make a new key, which signs passes from now on");
    const auto drop_old = std::make_shared<bool>(false);
    common.add_to(*rotate);
    rotate->add_flag("--drop-old", *drop_old,
                     "Trust no other key any more: for when somebody may have read them");
    rotate->footer(
        "A running server takes the key over within a second, and no pass is lost: those before "
        "it\n"
        "still verify for 24 hours, so that a purchase can be asked for again. At most 16 keys "
        "are\n"
        "in force. With --drop-old, passes that are out are worth nothing from then on, and their\n"
        "buyers have to ask for new ones.");
    rotate->callback([drop_old, &common, &code] {
        code = keys_command(common.load().config,
                            *drop_old ? KeysCommand::rotate_and_drop : KeysCommand::rotate);
    });
    auto* list = keys->add_subcommand("list", "Show the keys by id and age, never the secrets");
    common.add_to(*list);
    list->footer("They are kept in pass.keys in the data folder.");
    list->callback([&] { code = keys_command(common.load().config, KeysCommand::list); });
}

int run(int argc, char** argv) {
    CLI::App app(
        "Sluice sells a small stock to a large crowd: never too much, never forgetting a yes.",
        "sluice");
    app.require_subcommand(1);
    app.set_version_flag("--version", SLUICE_VERSION);
    app.footer("Each command explains itself: sluice COMMAND --help");
    Common common;
    int code = 0;
    for (const auto add : {add_serve, add_migrate, add_check_config, add_backup, add_restore,
                           add_move, add_mint, add_audit, add_archive, add_user, add_keys})
        add(app, common, code);
    add_description_commands(app);

    if (const auto unknown = unknown_subcommand(app, argc, argv)) {
        std::fprintf(stderr, "sluice: %s\n", unknown->c_str());
        return 2;
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    return code;
}

}  // namespace
}  // namespace sluice

int main(int argc, char** argv) {
    if (sodium_init() < 0) {
        std::fprintf(stderr, "sluice: libsodium does not start\n");
        return 1;
    }
    try {
        const int code = sluice::run(argc, argv);
        if (code == 0) sluice::finish_output();
        return code;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "sluice: %s\n", error.what());
        return 1;
    }
}
