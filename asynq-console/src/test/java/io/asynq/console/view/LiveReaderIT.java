package io.asynq.console.view;

import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.asynq.BrokerUnavailableException;
import io.asynq.console.http.ConsoleEvents.Event;
import io.asynq.console.http.ConsoleEvents.Subscription;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.Outcome;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What subscribers are told, and what that costs Redis.
 */
@ExtendWith(RedisExtension.class)
class LiveReaderIT {

	private static final String QUEUE = "default";

	/** Over how many readings commands are counted. */
	private static final int READINGS = 20;

	private final AtomicInteger reads = new AtomicInteger();

	private RedisState state;

	private RedisBroker broker;

	private StateReader reader;

	@BeforeEach
	void connect(RedisConnectionFactory factory) {
		this.state = new RedisState(factory);
		this.state.seedMany(QUEUE, "pending", 3, 0);
		this.broker = new RedisBroker(factory, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION, (broken) -> {
		});
		this.reader = new StateReader(this.broker, Clock.systemUTC(), Duration.ofSeconds(2));
	}

	@Test
	void tenSubscribersCostRedisWhatOneCosts() throws Exception {
		// What is read rarely was read before
		this.reader.read();
		double one = commandsPerReading(1);
		double ten = commandsPerReading(10);
		assertThat(one).isGreaterThan(1);
		assertThat(ten).as("as much as %s", one).isLessThan(one + 2);
	}

	@Test
	void readsOnlyWhileSomebodyLooks() throws Exception {
		// That of another test may be about to end
		await().until(() -> threads() == 0);
		LiveReader live = live(Duration.ofMillis(10));
		assertThat(threads()).isZero();
		BlockingQueue<Event> first = new LinkedBlockingQueue<>();
		Subscription one = live.subscribe(null, first::add);
		Subscription other = live.subscribe(null, (event) -> {
		});
		assertThat(next(first).name()).isEqualTo("overview");
		one.close();
		one.close();
		assertThat(live.subscribers()).isEqualTo(1);
		other.close();
		await().until(() -> threads() == 0);
		int before = this.reads.get();
		Subscription again = live.subscribe(null, first::add);
		await().until(() -> this.reads.get() > before);
		again.close();
	}

	@Test
	void tellsTheNumbersOfOneQueueToThoseWhoAskForIt() throws Exception {
		LiveReader live = live(Duration.ofMillis(20));
		BlockingQueue<Event> told = new LinkedBlockingQueue<>();
		try (Subscription subscription = live.subscribe(QUEUE, told::add)) {
			assertThat(next(told).name()).isEqualTo("overview");
			Event queue = next(told);
			assertThat(queue.name()).isEqualTo("queue");
			assertThat(queue.key()).isEqualTo(QUEUE);
			assertThat(((QueueCounts) queue.data()).size()).isEqualTo(3);
		}
	}

	@Test
	void todayIsNeverMoreThanAllDaysWhileTasksAreProcessed() throws Exception {
		String today = LocalDate.now(ZoneOffset.UTC).toString();
		for (String counter : List.of("processed", "processed:" + today, "failed", "failed:" + today)) {
			this.state.redis().opsForValue().set("asynq:{busy}:" + counter, "100");
		}
		this.state.seedMany("busy", "pending", 5000, 0);
		AtomicBoolean enough = new AtomicBoolean();
		Thread server = new Thread(() -> work(enough));
		BlockingQueue<Event> told = new LinkedBlockingQueue<>();
		LiveReader live = live(Duration.ofMillis(1));
		server.start();
		try (Subscription subscription = live.subscribe("busy", told::add)) {
			long last = 0;
			for (int readings = 0; readings < 50; readings++) {
				assertThat(next(told).name()).isEqualTo("overview");
				QueueCounts counts = (QueueCounts) next(told).data();
				assertThat(counts.processed()).isBetween(0L, counts.processedTotal());
				assertThat(counts.failed()).isBetween(0L, counts.failedTotal());
				last = counts.processedTotal();
			}
			assertThat(last).isGreaterThan(100);
		}
		finally {
			enough.set(true);
			server.join();
		}
	}

	private void work(AtomicBoolean enough) {
		while (!enough.get()) {
			for (LeasedTask task : this.broker.dequeuer().dequeue("busy", 1).tasks()) {
				this.broker.completer().report(List.of(new Outcome.Done(task)));
			}
		}
	}

	@Test
	void whoComesLaterIsToldAtOnceWhatIsKnown() throws Exception {
		LiveReader live = live(Duration.ofHours(1));
		BlockingQueue<Event> early = new LinkedBlockingQueue<>();
		List<Event> late = new ArrayList<>();
		try (Subscription first = live.subscribe(null, early::add)) {
			Event overview = next(early);
			try (Subscription second = live.subscribe(QUEUE, late::add)) {
				assertThat(late).extracting(Event::name).containsExactly("overview", "queue");
				assertThat(late.get(0)).isSameAs(overview);
			}
		}
	}

	@Test
	void whatHasHappenedHereIsToldToAll() throws Exception {
		LiveReader live = live(Duration.ofHours(1));
		BlockingQueue<Event> told = new LinkedBlockingQueue<>();
		Event job = new Event("job", "1", "data");
		try (Subscription failing = live.subscribe(null, (event) -> {
			throw new IllegalStateException("gone");
		}); Subscription subscription = live.subscribe(null, told::add)) {
			next(told);
			live.tell(job);
			assertThat(next(told)).isSameAs(job);
		}
		live.tell(job);
		assertThat(told).isEmpty();
	}

	@Test
	void tellsThatRedisIsAwayAndGoesOnWhenItIsBack() throws Exception {
		AtomicInteger away = new AtomicInteger(3);
		LiveReader live = new LiveReader(() -> {
			if (away.getAndDecrement() > 0) {
				throw new BrokerUnavailableException("away", new IllegalStateException());
			}
			return this.reader.read();
		}, (read) -> read, Duration.ofMillis(10));
		BlockingQueue<Event> told = new LinkedBlockingQueue<>();
		try (Subscription subscription = live.subscribe(null, told::add)) {
			for (int reading = 1; reading <= 3; reading++) {
				Event event = next(told);
				assertThat(event.name()).isEqualTo("away");
				assertThat(event.data()).isEqualTo(Map.of("error", "away"));
			}
			assertThat(next(told).data()).isInstanceOf(State.class);
		}
	}

	private double commandsPerReading(int subscribers) throws Exception {
		AtomicBoolean complete = new AtomicBoolean();
		AtomicInteger readings = new AtomicInteger();
		BlockingQueue<Long> counts = new LinkedBlockingQueue<>();
		LiveReader live = new LiveReader(() -> {
			// Counted by the thread that reads, so that no reading is half done
			if (complete.get() && readings.getAndIncrement() % READINGS == 0) {
				counts.add(commands());
			}
			return this.reader.read();
		}, (read) -> read, Duration.ofMillis(20));
		List<Subscription> all = new ArrayList<>();
		BlockingQueue<Event> told = new LinkedBlockingQueue<>();
		for (int i = 0; i < subscribers; i++) {
			all.add(live.subscribe(QUEUE, (i == 0) ? told::add : (event) -> {
			}));
		}
		await().until(() -> told.size() > 2);
		complete.set(true);
		long before = next(counts);
		long commands = next(counts) - before;
		all.forEach(Subscription::close);
		await().until(() -> threads() == 0);
		return (double) commands / READINGS;
	}

	private LiveReader live(Duration interval) {
		return new LiveReader(() -> {
			State read = this.reader.read();
			this.reads.incrementAndGet();
			return read;
		}, (read) -> read, interval);
	}

	/** Scripts count as one, and so does each command in them: all work of Redis. */
	private long commands() {
		Properties stats = this.state.redis()
			.execute((org.springframework.data.redis.core.RedisCallback<Properties>) (
					connection) -> connection.serverCommands().info("commandstats"));
		return stats.values()
			.stream()
			.map(String::valueOf)
			.mapToLong((text) -> Long.parseLong(text.replaceAll("^calls=(\\d+),.*", "$1")))
			.sum();
	}

	private static long threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.isAlive() && thread.getName().equals("asynq-console-live"))
			.count();
	}

	private static <T> T next(BlockingQueue<T> told) throws InterruptedException {
		T one = told.poll(60, TimeUnit.SECONDS);
		assertThat(one).isNotNull();
		return one;
	}

}
