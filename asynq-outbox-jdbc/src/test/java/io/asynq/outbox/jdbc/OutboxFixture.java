package io.asynq.outbox.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import javax.sql.DataSource;

import io.asynq.AsynqClient;
import io.asynq.ClientOptions;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.event.TaskEvent;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.enqueue.OutboxReport;
import io.asynq.internal.event.Observers;
import io.asynq.internal.event.TaskEvents;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.test.MutableClock;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * An outbox on a real database and a real Redis, of which a test runs the parts one by
 * one.
 */
final class OutboxFixture implements AutoCloseable {

	static final String QUEUE = "default";

	final MutableClock clock = new MutableClock(Instant.parse("2096-03-04T23:59:50.123Z"));

	final RedisBroker broker;

	final RedisState state;

	final HinderedStore store;

	final DataSource source;

	final JdbcTemplate jdbc;

	final OutboxTable table;

	final JdbcTransactionManager transactions;

	final RelayCounters counters = new RelayCounters();

	final Troubles queues = new Troubles(() -> 0L);

	final List<TaskEvent> heard = new CopyOnWriteArrayList<>();

	final List<String> commits = new ArrayList<>();

	final AsynqClient client;

	private final OutboxSender sender;

	private final TaskEvents events = new TaskEvents(() -> List.of(this.heard::add));

	OutboxFixture(RedisConnectionFactory factory, DataSource source) {
		this.broker = new RedisBroker(factory, this.clock, ScriptTime.of(this.clock),
				RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
				});
		this.state = new RedisState(factory);
		this.store = new HinderedStore(this.broker.outbox());
		this.source = source;
		this.jdbc = new JdbcTemplate(source);
		this.jdbc.execute("DROP TABLE IF EXISTS asynq_outbox");
		this.jdbc.execute("DROP TABLE IF EXISTS orders");
		new OutboxSchema(source, new AsynqOutboxProperties.Jdbc(DatabaseInitializationMode.ALWAYS, null,
				"classpath:io/asynq/outbox/jdbc/schema-@@platform@@.sql"))
			.initializeDatabase();
		this.jdbc.execute("CREATE TABLE orders (id INT PRIMARY KEY)");
		this.table = new OutboxTable(source);
		this.transactions = new JdbcTransactionManager(source);
		TransactionOwner.watch("transactions", this.transactions);
		JdbcTaskOutbox outbox = new JdbcTaskOutbox(source, this.table, this.store, this.clock,
				(connection) -> () -> this.commits.add("commit"));
		this.client = this.broker.client(
				ClientOptions.builder().clock(this.clock).afterCommit(true).maxPayloadSize(4L * 1024 * 1024).build(),
				Observers.none(), outbox);
		this.sender = new OutboxSender(this.store, new OutboxReport(this.clock, this.events), this.queues,
				this.counters);
		this.events.start();
	}

	TransactionTemplate transaction() {
		return new TransactionTemplate(this.transactions);
	}

	TransactionTemplate transaction(int propagation) {
		TransactionTemplate template = transaction();
		template.setPropagationBehavior(propagation);
		return template;
	}

	/** Enqueues tasks without a payload in one transaction. */
	void commit(String... ids) {
		transaction().executeWithoutResult((status) -> enqueue(ids));
	}

	void enqueue(String... ids) {
		for (String id : ids) {
			this.client.enqueue(Task.of("mail", "{}"), TaskOptions.of((o) -> o.taskId(id)));
		}
	}

	/** Sends one batch. */
	Batch relay() {
		return relay(256, readCommitted());
	}

	/** Sends a batch of each queue, and returns that of the last one. */
	Batch relay(int batchSize, TransactionOperations transaction) {
		RelayRound round = new RelayRound(this.table, transaction, this.sender, this.clock, batchSize);
		Batch last = new Batch(0);
		for (String queue : this.table.queues()) {
			last = round.run(queue, this.store.begin(queue, List.of()).time());
		}
		return last;
	}

	/** Tries rows again that were set aside. */
	Set<String> again() {
		RelayRound round = new RelayRound(this.table, readCommitted(), this.sender, this.clock, 256);
		Set<String> queues = round.setAside();
		queues.forEach((queue) -> round.again(queue, this.store.begin(queue, List.of()).time()));
		return queues;
	}

	/** Returns a relay with a thread, which the caller stops. */
	DatabaseRelay startRelay() {
		return startRelay(this.broker.servers()::isPartitioned, this.broker.servers()::masters);
	}

	/** Returns a relay of a Redis with several masters. */
	DatabaseRelay startRelay(UnaryOperator<String> master) {
		return startRelay(() -> true, (queues) -> queues.stream().collect(Collectors.toMap((queue) -> queue, master)));
	}

	private DatabaseRelay startRelay(BooleanSupplier partitioned,
			Function<Collection<String>, Map<String, String>> places) {
		Troubles troubles = new Troubles(System::nanoTime);
		OutboxSender sender = new OutboxSender(this.store, new OutboxReport(this.clock, this.events), troubles,
				this.counters);
		DatabaseRelay relay = new DatabaseRelay(OutboxRelay.DATABASE, this.table,
				new RelayRound(this.table, readCommitted(), sender, this.clock, 256), sender,
				new SentMarks(this.store, System::nanoTime), troubles, this.counters, partitioned, places,
				Duration.ofMillis(50), false);
		relay.start();
		return relay;
	}

	TransactionTemplate readCommitted() {
		TransactionTemplate template = transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		template.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
		return template;
	}

	List<String> waiting() {
		return this.jdbc.queryForList("SELECT task_id FROM asynq_outbox WHERE set_aside_at IS NULL ORDER BY id",
				String.class);
	}

	List<String> setAside() {
		return this.jdbc.queryForList("SELECT task_id FROM asynq_outbox WHERE set_aside_at IS NOT NULL ORDER BY id",
				String.class);
	}

	String reason(String taskId) {
		return this.jdbc.queryForObject("SELECT reason FROM asynq_outbox WHERE task_id = ?", String.class, taskId);
	}

	@Override
	public void close() {
		this.events.stop();
	}

}
