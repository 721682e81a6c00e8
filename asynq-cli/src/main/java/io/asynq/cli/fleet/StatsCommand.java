package io.asynq.cli.fleet;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.TaskState;
import io.asynq.cli.command.Invocation;
import io.asynq.cli.connect.Session;
import io.asynq.cli.output.Cell;
import io.asynq.cli.output.GoTimes;
import io.asynq.cli.output.Heading;
import io.asynq.cli.output.Output;
import io.asynq.cli.output.OutputFormat;
import io.asynq.cli.output.Table;
import io.asynq.inspect.QueueInfo;
import io.asynq.operations.survey.QueueBoard.Board;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Shows all queues at a glance.
 */
@Command(name = "stats", description = "View current state.",
		footer = { "  asynq stats", "  asynq stats --json -u redis.internal:6379" })
public final class StatsCommand implements Callable<Integer> {

	private static final int LEAST_DASHES = 9;

	private final Invocation invocation;

	@Option(names = "--json", description = "Print stats as one line of JSON.")
	private boolean json;

	public StatsCommand(Invocation invocation) {
		this.invocation = invocation;
	}

	@Override
	public Integer call() {
		try (Session session = this.invocation.open()) {
			Output output = this.json ? new Output(this.invocation.surroundings().out(), OutputFormat.JSONL)
					: this.invocation.output();
			Board board = session.board().read();
			Map<String, String> redis = info(session);
			if (output.format().isText()) {
				print(board, redis, session.isCluster(), this.invocation.surroundings().out());
			}
			else {
				output.print(GoStats.of(board, session.board().memory(board.queues()), redis), (out) -> {
				});
			}
			return this.invocation.tellUnreadable(board);
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
			this.invocation.tell(Cell.text(String.valueOf(ex.getMessage())));
			return Map.of();
		}
	}

	private void print(Board board, Map<String, String> redis, boolean cluster, PrintWriter out) {
		Heading heading = this.invocation.heading();
		int columns = this.invocation.columns();
		out.println(heading.of("Task Count by State"));
		byState(board).printRow(out, columns);
		this.invocation.tellWaiting(board.queues().stream().mapToLong(QueueInfo::waitingForLimit).sum());
		out.println();
		out.println(heading.of("Task Count by Queue"));
		byQueue(board.queues()).printRow(out, columns);
		out.println();
		out.println(heading.of("Daily Stats " + GoTimes.day(board.at()) + " UTC"));
		long processed = board.queues().stream().mapToLong(QueueInfo::processed).sum();
		long failed = board.queues().stream().mapToLong(QueueInfo::failed).sum();
		new Table("processed", "failed", "error rate").row(processed, failed, GoTimes.errorRate(processed, failed))
			.printRow(out, columns);
		out.println();
		if (redis.isEmpty()) {
			return;
		}
		out.println(heading.of(cluster ? "Redis Cluster Info" : "Redis Info"));
		(cluster ? cluster(redis) : standalone(redis)).printRow(out, columns);
		out.println();
	}

	private static Table byState(Board board) {
		Map<TaskState, Long> totals = board.totals();
		List<Long> counts = Stream
			.of(TaskState.ACTIVE, TaskState.PENDING, TaskState.AGGREGATING, TaskState.SCHEDULED, TaskState.RETRY,
					TaskState.ARCHIVED, TaskState.COMPLETED)
			.map((state) -> totals.getOrDefault(state, 0L))
			.toList();
		int dashes = counts.stream().mapToInt((count) -> count.toString().length()).max().orElse(0);
		return Table
			.withDashes(Math.max(LEAST_DASHES, dashes), "active", "pending", "aggregating", "scheduled", "retry",
					"archived", "completed")
			.row(counts.toArray());
	}

	private static Table byQueue(List<QueueInfo> queues) {
		String[] titles = queues.stream()
			.map((queue) -> Cell.text(queue.queue()) + (queue.paused() ? " (paused)" : ""))
			.toArray(String[]::new);
		int dashes = Stream.of(titles).mapToInt((title) -> title.codePointCount(0, title.length())).max().orElse(0);
		return Table.withDashes(dashes, titles).row(queues.stream().map(QueueInfo::size).toArray());
	}

	private static Table standalone(Map<String, String> redis) {
		return new Table("version", "uptime", "connections", "memory usage", "peak memory usage").row(
				redis.getOrDefault("redis_version", ""), redis.getOrDefault("uptime_in_days", "") + " days",
				redis.getOrDefault("connected_clients", ""), redis.getOrDefault("used_memory_human", "") + "B",
				redis.getOrDefault("used_memory_peak_human", "") + "B");
	}

	private static Table cluster(Map<String, String> redis) {
		return new Table("State", "Known Nodes", "Cluster Size").row(
				redis.getOrDefault("cluster_state", "").toUpperCase(Locale.ROOT),
				redis.getOrDefault("cluster_known_nodes", ""), redis.getOrDefault("cluster_size", ""));
	}

}
