package io.asynq.internal.redis;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

import static org.assertj.core.api.Assertions.assertThat;

class LuaScriptTests {

	private static final Set<String> ARGUMENTS = Set.of("BYSCORE", "COUNT", "INCR", "LIMIT", "MATCH", "MAXLEN", "RANK",
			"USAGE", "WITHSCORES");

	@Test
	void readOnlyScriptsAreRepeatable() {
		assertThat(repeatable()).contains(LuaScript.READ_STATS, LuaScript.READ_TASK, LuaScript.READ_WORK,
				LuaScript.READ_GROUPS, LuaScript.READ_TEXTS, LuaScript.READ_MEMORY, LuaScript.READ_SERVERS,
				LuaScript.WATCH_PENDING, LuaScript.LIST_TASKS, LuaScript.CHECK_CONTAINER, LuaScript.CHECK_USABLE);
	}

	@Test
	void scriptsThatCheckTheirOwnMarkAreRepeatable() {
		assertThat(repeatable()).contains(LuaScript.FIRE, LuaScript.PASS_FIRE, LuaScript.SEND_OUTBOX,
				LuaScript.WRITE_SERVER, LuaScript.WRITE_SCHEDULER, LuaScript.EXTEND_LEASES, LuaScript.FORWARD,
				LuaScript.EXPIRED_LEASES, LuaScript.DELETE_EXPIRED);
	}

	@Test
	void scriptsWhoseTaskMayBeGoneAreNotRepeatable() {
		assertThat(repeatable()).doesNotContain(LuaScript.ENQUEUE, LuaScript.STORE, LuaScript.ENQUEUE_PENDING_BATCH,
				LuaScript.DEQUEUE, LuaScript.DONE, LuaScript.RETRY, LuaScript.MOVE_TASKS, LuaScript.MOVE_ALL);
	}

	@Test
	void scriptsThatTakeLeasesOrTokensAreNotExecutedLate() {
		assertThat(LuaScript.values()).filteredOn(LuaScript::mayComeLate)
			.contains(LuaScript.FORWARD, LuaScript.READ_TASK)
			.doesNotContain(LuaScript.EXTEND_LEASES, LuaScript.ACQUIRE_TOKEN, LuaScript.FIRE, LuaScript.SEND_OUTBOX);
	}

	@Test
	void partsFollowThePartsTheyNeed() {
		String text = new String(LuaScript.DONE.text(), StandardCharsets.UTF_8);
		assertThat(text).containsSubsequence("local function ask(", "local function holds(", "local function end_each(",
				"end_each(5, 3");
		assertThat(text).containsOnlyOnce("local function ask(");
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.MATCH_ANY, names = ".*_SEVERAL")
	void partsThatAllQueuesShareKnowNothingOfAQueue(LuaScript script) {
		String text = new String(script.text(), StandardCharsets.UTF_8);
		assertThat(text.substring(0, text.indexOf("local function one(")).replace(Keys.FREES_FIRST, "").lines())
			.filteredOn((line) -> !line.startsWith("--"))
			.noneMatch((line) -> line.contains("KEYS") || line.contains("ARGV"));
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "CHECK_RIGHTS")
	void missingRightToAnyCommandCanBeFound(LuaScript script) {
		String check = new String(LuaScript.CHECK_RIGHTS.text(), StandardCharsets.UTF_8);
		assertThat(script.commands()).filteredOn((word) -> !ARGUMENTS.contains(word))
			.allSatisfy((command) -> assertThat(check).contains(command + " = {"));
	}

	@ParameterizedTest
	@MethodSource("files")
	void keyNamesComeFromJava(Resource file) throws IOException {
		assertThat(lines(file).filter((line) -> !line.strip().startsWith("--")))
			.noneMatch((line) -> line.contains("asynq"));
	}

	@ParameterizedTest
	@MethodSource("files")
	void everyFileHasDescription(Resource file) throws IOException {
		List<String> head = lines(file).takeWhile((line) -> line.startsWith("--")).toList();
		assertThat(head).isNotEmpty();
		if (!head.get(0).startsWith("-- Part of other scripts: ")) {
			assertThat(head).anyMatch((line) -> line.startsWith("-- KEYS"));
			assertThat(head).anyMatch((line) -> line.startsWith("-- Returns"));
		}
	}

	static Stream<Resource> files() throws IOException {
		return Stream.of(new PathMatchingResourcePatternResolver().getResources("classpath:io/asynq/lua/**/*.lua"));
	}

	private static Stream<String> lines(Resource file) throws IOException {
		return file.getContentAsString(StandardCharsets.UTF_8).lines();
	}

	private static Stream<LuaScript> repeatable() {
		return Stream.of(LuaScript.values()).filter(LuaScript::isRepeatable);
	}

}
