package io.asynq.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.TaskState;
import io.asynq.inspect.QueueInfo;
import io.asynq.operations.survey.QueueBoard.Board;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "stats", description = "View current state.",
		footer = { "  asynq stats", "  asynq stats --json -u redis.internal:6379" })
final class StatsCommand extends Invocation implements Callable<Integer> {

	/** In Go's order. */
	static final List<TaskState> STATES = List.of(TaskState.ACTIVE, TaskState.PENDING, TaskState.AGGREGATING,
			TaskState.SCHEDULED, TaskState.RETRY, TaskState.ARCHIVED, TaskState.COMPLETED);

	private static final int LEAST_DASHES = 9;

	@Option(names = "--json", description = "Print stats as one line of JSON.")
	private boolean json;

	StatsCommand(Invocation invocation) {
		super(invocation);
	}

	@Override
	public Integer call() {
		try (Session session = open()) {
			OutputFormat format = this.json ? OutputFormat.JSONL : format();
			Board board = session.board().read();
			Map<String, String> redis = info(session);
			print(format, format.isText() ? "" : json(board, session.board().memory(board.queues()), redis),
					() -> print(board, redis, session.isCluster()));
			return tellUnreadable(board);
		}
	}

	/** Tells that Redis refuses to tell, and goes on with nothing. */
	private Map<String, String> info(Session session) {
		try {
			return session.info();
		}
		catch (BrokerUnavailableException ex) {
			throw ex;
		}
		catch (BrokerException ex) {
			tell(Cell.text(String.valueOf(ex.getMessage())));
			return Map.of();
		}
	}

	private void print(Board board, Map<String, String> redis, boolean cluster) {
		int columns = columns();
		this.out.println(heading("Task Count by State"));
		byState(board).printRow(this.out, columns);
		tellWaiting(board.queues().stream().mapToLong(QueueInfo::waitingForLimit).sum());
		this.out.println();
		this.out.println(heading("Task Count by Queue"));
		byQueue(board.queues()).printRow(this.out, columns);
		this.out.println();
		this.out.println(heading("Daily Stats " + GoTimes.day(board.at()) + " UTC"));
		long processed = sum(board, QueueInfo::processed);
		long failed = sum(board, QueueInfo::failed);
		new Table("processed", "failed", "error rate").row(processed, failed, GoTimes.errorRate(processed, failed))
			.printRow(this.out, columns);
		this.out.println();
		if (redis.isEmpty()) {
			return;
		}
		this.out.println(heading(cluster ? "Redis Cluster Info" : "Redis Info"));
		Table table = cluster
				? new Table("State", "Known Nodes", "Cluster Size").row(
						redis.getOrDefault("cluster_state", "").toUpperCase(Locale.ROOT),
						redis.getOrDefault("cluster_known_nodes", ""), redis.getOrDefault("cluster_size", ""))
				: new Table("version", "uptime", "connections", "memory usage", "peak memory usage").row(
						redis.getOrDefault("redis_version", ""), redis.getOrDefault("uptime_in_days", "") + " days",
						redis.getOrDefault("connected_clients", ""), redis.getOrDefault("used_memory_human", "") + "B",
						redis.getOrDefault("used_memory_peak_human", "") + "B");
		table.printRow(this.out, columns);
		this.out.println();
	}

	private static Table byState(Board board) {
		Map<TaskState, Long> totals = board.totals();
		List<Long> counts = STATES.stream().map((state) -> totals.getOrDefault(state, 0L)).toList();
		int dashes = counts.stream().mapToInt((count) -> count.toString().length()).max().orElse(0);
		return new Table(Math.max(LEAST_DASHES, dashes),
				STATES.stream().map(TaskState::wireName).toArray(String[]::new))
			.row(counts.toArray());
	}

	private static Table byQueue(List<QueueInfo> queues) {
		String[] titles = queues.stream()
			.map((queue) -> Cell.text(queue.queue()) + (queue.paused() ? " (paused)" : ""))
			.toArray(String[]::new);
		int dashes = Stream.of(titles).mapToInt((title) -> title.codePointCount(0, title.length())).max().orElse(0);
		return new Table(dashes, titles).row(queues.stream().map(QueueInfo::size).toArray());
	}

	private static long sum(Board board, ToLongFunction<QueueInfo> number) {
		return board.queues().stream().mapToLong(number).sum();
	}

	/** With the names that Go's program gives. */
	private static Map<String, Object> json(Board board, Map<String, Long> memory, Map<String, String> redis) {
		Map<String, Object> aggregate = new LinkedHashMap<>();
		Map<TaskState, Long> totals = board.totals();
		STATES.forEach((state) -> aggregate.put(state.wireName(), totals.getOrDefault(state, 0L)));
		aggregate.put("processed", sum(board, QueueInfo::processed));
		aggregate.put("failed", sum(board, QueueInfo::failed));
		// Go's time of no time, if there are no queues
		aggregate.put("timestamp", board.queues().isEmpty() ? "0001-01-01T00:00:00Z" : board.at().toString());
		Map<String, Object> document = new LinkedHashMap<>();
		document.put("aggregate", aggregate);
		document.put("queues", board.queues().stream().map((queue) -> json(queue, memory.get(queue.queue()))).toList());
		document.put("redis", redis);
		return document;
	}

	private static Map<String, @Nullable Object> json(QueueInfo queue, @Nullable Long memory) {
		Map<String, @Nullable Object> values = new LinkedHashMap<>();
		values.put("Queue", queue.queue());
		values.put("MemoryUsage", memory);
		values.put("Paused", queue.paused());
		values.put("Size", queue.size());
		values.put("Groups", queue.groups());
		values.put("Pending", queue.size(TaskState.PENDING));
		values.put("Active", queue.size(TaskState.ACTIVE));
		values.put("Scheduled", queue.size(TaskState.SCHEDULED));
		values.put("Retry", queue.size(TaskState.RETRY));
		values.put("Archived", queue.size(TaskState.ARCHIVED));
		values.put("Completed", queue.size(TaskState.COMPLETED));
		values.put("Aggregating", queue.size(TaskState.AGGREGATING));
		values.put("Processed", queue.processed());
		values.put("Failed", queue.failed());
		values.put("ProcessedTotal", queue.processedTotal());
		values.put("FailedTotal", queue.failedTotal());
		values.put("Latency", queue.latency().toNanos());
		values.put("Timestamp", queue.timestamp().toString());
		return values;
	}

}
