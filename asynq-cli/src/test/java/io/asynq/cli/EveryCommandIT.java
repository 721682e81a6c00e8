package io.asynq.cli;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import io.asynq.ClientOptions;
import io.asynq.Task;
import io.asynq.cli.TestShell.Ran;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.schedule.PeriodicTaskDefinition;
import io.asynq.schedule.SchedulerOptions;
import io.asynq.server.TestServer;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Leaves a transcript of every command but the interactive one in
 * {@code target/transcripts/EveryCommandIT.txt}.
 */
@ExtendWith(RedisExtension.class)
class EveryCommandIT {

	private static final List<String> SCRIPT = List.of(
			"task enqueue -t mail:send -l {\"to\":\"ada\"} --queue mail --id m-1",
			"task enqueue -t mail:send -l {\"to\":\"bob\"} --queue mail --id m-2 --header tenant=acme",
			"task enqueue -t mail:send -l {\"to\":\"eve\"} --queue mail --id m-3 --process_in 1h",
			"task enqueue -t sales:row -l {\"n\":1} --queue mail --group sales --id g-1", "stats", "stats --json",
			"queue list", "queue list -o json", "queue inspect mail default", "queue inspect mail -o jsonl",
			"queue history default --days 2", "queue pause mail", "queue resume mail", "group list -q mail",
			"task list -q mail -s pending", "task list -q mail -s pending --contains ada",
			"task list -q mail -s scheduled -o jsonl", "task list -q mail -s aggregating -g sales",
			"task list -q default -s retry", "task list -q default -s retry --error way --type fail*",
			"task inspect -q mail -i m-2", "task inspect -q default -i f-1", "task inspect -q mail -i nope",
			"task update-payload -q mail -i m-3 -l {\"to\":\"zoe\"}", "task cancel m-1", "task archive -q mail -i m-1",
			"task run -q mail -i m-1 --fresh", "task delete -q mail -i m-1", "task archiveall -q mail -s pending",
			"task archiveall -q mail -s pending --yes", "task runall -q mail -s archived --type mail:* --yes",
			"task deleteall -q mail -s pending --yes", "queue remove mail", "queue remove mail --force --yes",
			"failures list", "failures retry nope", "failures archive nope", "server list", "limit list",
			"limit inspect nosuch", "cron list", "doctor", "tail --for 0s", "completion", "version", "queu list",
			"help task list");

	@Test
	void everyCommandSaysSomething(TestRedis redis, RedisConnectionFactory connections) {
		TestShell shell = new TestShell(getClass(), redis).afresh();
		AsynqScheduler scheduler = scheduler(connections);
		// Entries are listed for two heartbeats, so another look may find none
		AtomicReference<String> periodic = new AtomicReference<>("");
		try (TestServer server = TestServer.builder(connections).handling((task, context) -> {
			throw new IllegalStateException("no way");
		}).start()) {
			scheduler.start();
			shell.run("task", "enqueue", "-t", "fails", "-l", "x", "--id", "f-1");
			await().untilAsserted(() -> {
				assertThat(shell.quietly("task", "list", "-q", "default", "-s", "retry").out()).contains("no way");
				assertThat(shell.quietly("server", "list").out()).contains("default:1");
				periodic.set(shell.quietly("cron", "list").out());
				assertThat(periodic.get()).contains(" ago");
			});
			List<String> silent = new ArrayList<>();
			Set<String> ran = new LinkedHashSet<>();
			for (String line : SCRIPT) {
				Ran said = shell.run(line.split(" "));
				ran.add(line);
				if (said.all().isEmpty() && !line.startsWith("tail")) {
					silent.add(line);
				}
			}
			String entry = periodic.get().lines().skip(2).findFirst().orElseThrow().split(" ")[0];
			assertThat(shell.run("cron", "history", entry, "--size", "2").out()).contains("TaskID");
			ran.add("cron history");
			assertThat(silent).isEmpty();
			assertThat(leaves()).allSatisfy((leaf) -> assertThat(ran).anyMatch((line) -> line.startsWith(leaf)));
			assertThat(server.server().statistics()).isNotNull();
		}
		finally {
			scheduler.stop();
		}
	}

	/** All commands that do something, except the interactive one. */
	private static List<String> leaves() {
		List<String> leaves = new ArrayList<>();
		CommandLine root = CommandTree.of(TestShell.nowhere());
		root.getSubcommands().forEach((name, command) -> {
			if (command.getSubcommands().isEmpty()) {
				leaves.add(command.getCommandName());
			}
			command.getSubcommands()
				.values()
				.forEach((leaf) -> leaves.add(command.getCommandName() + " " + leaf.getCommandName()));
		});
		leaves.remove("dash");
		return leaves;
	}

	private static AsynqScheduler scheduler(RedisConnectionFactory connections) {
		Clock clock = Clock.systemUTC();
		RedisBroker broker = new RedisBroker(connections, clock, RedisBroker.DEFAULT_LEASE_DURATION, (broken) -> {
		});
		AsynqScheduler scheduler = AsynqScheduler.create(broker, ClientOptions.builder().clock(clock).build(),
				SchedulerOptions.builder().clock(clock).heartbeatInterval(Duration.ofSeconds(1)).build(), List.of());
		scheduler.register(PeriodicTaskDefinition.of("@every 1s", Task.of("report", "weekly"))
			.id("reports")
			.options((options) -> options.queue("reports")));
		return scheduler;
	}

}
