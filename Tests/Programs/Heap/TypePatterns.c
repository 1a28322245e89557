// Types are named as users write them.
#include <string.h>

#include "../../../Sources/Recorder/Leaks/root_paths.h"

#include <stdio.h>

static int failures;

static void expect(const char *pattern, const char *name, bool matches) {
    if (gp_type_pattern_matches(pattern, strlen(pattern), name) == matches)
        return;
    printf("failed: %s and %s\n", pattern, name);
    failures++;
}

int main(void) {
    static const char *const meant[][2] = {
        {"Board", "Game.Board"},
        {"Game.Board", "Game.Board"},
        {"Board", "Game.Table.Board"},
        {"Table.Board", "Game.Table.Board"},
        {"B*d", "Game.Board"},
        {"?oard", "Game.Board"},
        {"*", "Game.Board"},
        {"Game.*", "Game.Board"},
        {"Box", "Game.Box<Game.Card>"},
        {"Box<Card>", "Game.Box<Game.Card>"},
        {"Box<Game.Card>", "Game.Box<Game.Card>"},
        {"Pair<Card, Int>", "Game.Pair<Game.Card, Swift.Int>"},
        {"Box<*>", "Game.Box<Game.Card>"},
        {"Inner", "Game.Outer<Swift.Int>.Inner"},
        {"Outer.Inner", "Game.Outer<(Game.A) -> Game.B>.Inner"},
        {"`Board v1.2`", "Game.`Board v1.2`"},
        {"`Stack<Int> of`", "Game.`Stack<Int> of`<Game.`a, b`>"},
        {"`Stack<Int> of`<`a, b`>", "Game.`Stack<Int> of`<Game.`a, b`>"},
        {"`In it.x`", "Game.`Stack<Int> of`<Game.`a, b`>.`In it.x`"},
        {"`cut. off", "Game.`cut. off"},
    };
    static const char *const others[][2] = {
        {"Board", "Game.Boards"},        {"Board", "Game.ChessBoard"}, {"oard", "Game.Board"},
        {"Card", "Game.Box<Game.Card>"}, {"", "Game.Board"},           {"Box<Card>", "Game.Box<Game.Board>"},
        {"Game", "Game.Board"},          {"2`", "Game.`Board v1.2`"},  {"`Stack", "Game.`Stack<Int> of`"},
        {"`b`", "Game.Box<Game.`b`>"},
    };
    for (unsigned i = 0; i < sizeof meant / sizeof *meant; i++)
        expect(meant[i][0], meant[i][1], true);
    for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
        expect(others[i][0], others[i][1], false);
    if (!failures)
        puts("passed");
    return failures != 0;
}
