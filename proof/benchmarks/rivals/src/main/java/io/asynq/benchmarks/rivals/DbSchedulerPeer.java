package io.asynq.benchmarks.rivals;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.IntConsumer;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.TaskDescriptor;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.asynq.benchmarks.peer.Payload;
import io.asynq.benchmarks.peer.Peer;
import io.asynq.benchmarks.peer.PeerProgram;
import io.asynq.benchmarks.peer.Producer;
import io.asynq.benchmarks.peer.Settings;
import org.h2.Driver;
import org.jspecify.annotations.Nullable;

/**
 * A database in this process costs no network. Nothing marks the beginning of a round, so
 * {@code enqueue} from the first number on deletes older tasks, unless a worker runs.
 */
final class DbSchedulerPeer implements Peer {

	static final TaskDescriptor<String> TASK = TaskDescriptor.of("bench", String.class);

	private static final Duration TUNED_POLLING_INTERVAL = Duration.ofMillis(10);

	/** The number of remaining tasks per thread at which it fetches again. */
	private static final double TUNED_REFILL = 1;

	/** The number of tasks per thread that it fetches. */
	private static final double TUNED_FETCH = 20;

	private final H2Store store = new H2Store("bench");

	private boolean created;

	private @Nullable Worker worker;

	public static void main(String[] args) throws IOException {
		PeerProgram.run(new DbSchedulerPeer());
	}

	@Override
	public String version() {
		return Rivals.version(Scheduler.class) + "-" + Rivals.version(Driver.class);
	}

	@Override
	public void serve(Settings settings, IntConsumer handler) throws SQLException {
		Rivals.serve(settings, false);
		if (!this.created) {
			clear();
		}
		int concurrency = settings.number("concurrency");
		HikariDataSource connections = this.store.open(concurrency);
		SchedulerBuilder builder = Scheduler
			.create(connections,
					Tasks.oneTime(TASK).execute((task, context) -> handler.accept(Payload.number(task.getData()))))
			.threads(concurrency)
			// As its documentation advises where latency matters
			.enableImmediateExecution();
		if (Rivals.tuned(settings)) {
			builder.pollingInterval(TUNED_POLLING_INTERVAL);
			// Locking while fetching saves a round trip to a database, but here it is
			// slower: a third of the rate
			builder.pollUsingFetch(TUNED_REFILL, TUNED_FETCH);
		}
		this.worker = new Worker(builder.build(), connections);
		this.worker.scheduler().start();
	}

	@Override
	public void stop() {
		if (this.worker != null) {
			this.worker.stop();
			this.worker = null;
		}
	}

	@Override
	public Producer producer(Settings settings) throws SQLException {
		Rivals.enqueue(settings, "single", "batch");
		if (this.worker != null) {
			// Only this client notifies the worker of new tasks
			return new DbSchedulerProducer(this.worker.scheduler(), () -> {
			});
		}
		if (!this.created || settings.number("first", 0) == 0) {
			clear();
		}
		HikariDataSource connections = this.store.open(settings.number("threads", 1));
		return new DbSchedulerProducer(SchedulerClient.Builder.create(connections).build(), connections);
	}

	private void clear() throws SQLException {
		this.store.clear();
		this.created = true;
	}

	private record Worker(Scheduler scheduler, HikariDataSource connections) {

		void stop() {
			this.scheduler.stop();
			this.connections.close();
		}

	}

	/** Schedules tasks for now. */
	record DbSchedulerProducer(SchedulerClient client, AutoCloseable connections) implements Producer {

		@Override
		public void one(String payload) {
			if (!this.client.scheduleIfNotExists(task(payload), Instant.now())) {
				throw new IllegalStateException("db-scheduler did not accept " + payload);
			}
		}

		@Override
		public void many(List<String> payloads) {
			List<TaskInstance<?>> tasks = new ArrayList<>(payloads.size());
			for (String payload : payloads) {
				tasks.add(task(payload));
			}
			this.client.scheduleBatch(tasks, Instant.now());
		}

		@Override
		public void close() throws Exception {
			this.connections.close();
		}

		private static TaskInstance<String> task(String payload) {
			return TASK.instance(UUID.randomUUID().toString()).data(payload).build();
		}

	}

	/** A database in the memory of this process, which lives as long as the process. */
	static final class H2Store {

		private static final String SCRIPT = "classpath:io/asynq/benchmarks/rivals/h2-store.sql";

		private final String url;

		H2Store(String name) {
			this.url = "jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1";
		}

		HikariDataSource open(int threads) {
			HikariConfig config = new HikariConfig();
			config.setJdbcUrl(this.url);
			// One for polling, one for heartbeats
			config.setMaximumPoolSize(threads + 2);
			return new HikariDataSource(config);
		}

		void clear() throws SQLException {
			try (HikariDataSource pool = open(1);
					Connection connection = pool.getConnection();
					Statement statement = connection.createStatement()) {
				statement.execute("runscript from '" + SCRIPT + "'");
			}
		}

	}

}
