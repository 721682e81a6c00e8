package io.asynq.interop;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

import io.asynq.Task;
import io.asynq.TaskState;
import io.asynq.interop.peer.GoSchedulers;
import io.asynq.interop.peer.GoSchedulers.EntryView;
import io.asynq.interop.peer.InteropTest;
import io.asynq.interop.peer.Peers;
import io.asynq.interop.peer.RawRedis;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.schedule.PeriodicTaskDefinition;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

/**
 * Schedulers of both sides on one Redis, and Go's cron library as the reference for ours.
 */
@InteropTest
class SchedulersIT {

	/**
	 * The tables that the unit tests of the core compare with still match Go. To create
	 * the files again, write these lines in square brackets with commas in between.
	 */
	@Test
	void fireTimesOfGoMatchRecordedTables(Peers peers) {
		assertThat(lines("fire-times.json")).isEqualTo(peers.go().schedulers().fireTimes());
		assertThat(lines("cron-verdicts.json")).isEqualTo(peers.go().schedulers().verdicts());
	}

	@Test
	void goShowsEntriesOfJavaScheduler(Peers peers, RawRedis redis) {
		AsynqScheduler scheduler = peers.java().scheduler((options) -> options);
		Instant deadline = Instant.parse("2096-01-01T00:00:00Z");
		scheduler.register(PeriodicTaskDefinition.of("0 3 * * *", Task.of("report", "{}"))
			.id("nightly")
			.zone("Europe/Berlin")
			.options((options) -> options.queue("low")
				.maxRetry(3)
				.timeout(Duration.ofMinutes(90))
				.deadline(deadline)
				.unique(Duration.ofSeconds(61))
				.processIn(Duration.ofMillis(1500))
				.retention(Duration.ofHours(24))
				.taskId("fixed")
				.group("g")
				.header("a", "(1)")));
		scheduler.register(PeriodicTaskDefinition.of("0 0 29 2 *", Task.of("leap", (byte[]) null)).id("leap"));
		scheduler.start();
		try {
			List<EntryView> entries = awaitEntries(peers, 2);
			EntryView nightly = find(entries, "nightly");
			assertThat(nightly.spec()).isEqualTo("CRON_TZ=Europe/Berlin 0 3 * * *");
			assertThat(nightly.type()).isEqualTo("report");
			assertThat(nightly.payload()).isEqualTo("{}");
			// Go reads neither task ids nor groups nor, in this version, headers
			assertThat(nightly.options()).containsExactly("Queue(\"low\")", "MaxRetry(3)", "Timeout(1h30m0s)",
					"Deadline(Sun Jan  1 00:00:00 UTC 2096)", "Unique(1m1s)", "ProcessIn(1.5s)", "Retention(24h0m0s)");
			assertThat(nightly.next()).isEqualTo(scheduler.entries().get(0).next());
			assertThat(nightly.previous()).isNull();
			EntryView leap = find(entries, "leap");
			assertThat(leap.next()).isEqualTo(scheduler.entries().get(1).next());
			assertThat(leap.payload()).isNull();
			assertThat(redis.keys("asynq:schedulers:*")).singleElement()
				.satisfies((key) -> assertThat(redis.ttlMillis(key)).isBetween(15_000L, 20_000L));
		}
		finally {
			scheduler.stop();
		}
		assertThat(peers.go().schedulers().entries()).isEmpty();
		assertThat(redis.keys("asynq:schedulers*")).isEmpty();
	}

	@Test
	void goShowsEventsOfJavaScheduler(Peers peers, RawRedis redis) {
		AsynqScheduler scheduler = peers.java()
			.scheduler((options) -> options.heartbeatInterval(Duration.ofSeconds(1)));
		scheduler.register(PeriodicTaskDefinition.of("@every 1s", Task.of("tick", "{}")).id("tick"));
		scheduler.start();
		try {
			await().until(() -> peers.go().schedulers().events("tick").size() >= 2);
			Map<String, Instant> events = peers.go().schedulers().events("tick");
			events.forEach((id, at) -> {
				assertThat(peers.go().task("default", id).state()).isEqualTo(TaskState.PENDING);
				assertThat(at).isCloseTo(Clock.systemUTC().instant(), within(60, ChronoUnit.SECONDS));
			});
			// Those of the same second have no order
			assertThat(events.values().stream().map(Instant::getEpochSecond).toList())
				.isSortedAccordingTo(Comparator.reverseOrder());
			await().until(() -> peers.go().schedulers().entries().get(0).previous() != null);
		}
		finally {
			scheduler.stop();
		}
		assertThat(peers.go().schedulers().events("tick")).isEmpty();
		assertThat(redis.keys("asynq:scheduler_history:*")).isEmpty();
	}

	@Test
	void schedulersOfBothWorkSideBySide(Peers peers) {
		GoSchedulers go = peers.go().schedulers();
		AsynqScheduler scheduler = peers.java()
			.scheduler((options) -> options.heartbeatInterval(Duration.ofSeconds(1)));
		scheduler.register(PeriodicTaskDefinition.of("@every 1s", Task.of("java", "{}")).id("java"));
		String goEntry = go.start("beside", "@every 1s", "go");
		scheduler.start();
		try {
			List<EntryView> entries = awaitEntries(peers, 2);
			assertThat(entries).extracting(EntryView::id).containsExactlyInAnyOrder("java", goEntry);
			await().until(() -> !go.events("java").isEmpty() && !go.events(goEntry).isEmpty());
			// Each writes its entries with its heartbeats
			await().untilAsserted(() -> {
				List<EntryView> both = go.entries();
				assertThat(find(both, "java").next()).isCloseTo(find(both, goEntry).next(),
						within(2, ChronoUnit.SECONDS));
			});
			scheduler.stop();
			assertThat(go.entries()).extracting(EntryView::id).containsExactly(goEntry);
			assertThat(go.events(goEntry)).isNotEmpty();
		}
		finally {
			scheduler.stop();
			go.shutdown("beside");
		}
		assertThat(go.entries()).isEmpty();
	}

	private static List<EntryView> awaitEntries(Peers peers, int count) {
		await().until(() -> peers.go().schedulers().entries().size() == count);
		return peers.go().schedulers().entries();
	}

	private static EntryView find(List<EntryView> entries, String id) {
		return entries.stream().filter((entry) -> entry.id().equals(id)).findFirst().orElseThrow();
	}

	private static List<String> lines(String file) {
		try (InputStream in = PeriodicTaskDefinition.class.getResourceAsStream(file)) {
			return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines()
				.filter((line) -> line.startsWith("{"))
				.map((line) -> line.endsWith(",") ? line.substring(0, line.length() - 1) : line)
				.toList();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
