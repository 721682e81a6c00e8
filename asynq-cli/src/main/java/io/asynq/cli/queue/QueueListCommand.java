package io.asynq.cli.queue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;

import io.asynq.cli.command.Invocation;
import io.asynq.cli.connect.Session;
import io.asynq.cli.output.Cell;
import io.asynq.cli.output.GoTimes;
import io.asynq.cli.output.OutputFormat;
import io.asynq.cli.output.Table;
import io.asynq.inspect.ClusterNode;
import io.asynq.inspect.QueueInfo;
import io.asynq.inspect.ServerInfo;
import io.asynq.operations.QueueOperations.Placed;
import io.asynq.operations.survey.QueueBoard.Board;
import picocli.CommandLine.Command;

/**
 * Lists queues.
 */
@Command(name = "list", aliases = "ls", description = "List queues.", footer = "  asynq queue ls -o wide")
public final class QueueListCommand implements Callable<Integer> {

	private final Invocation invocation;

	public QueueListCommand(Invocation invocation) {
		this.invocation = invocation;
	}

	@Override
	public Integer call() {
		try (Session session = this.invocation.open()) {
			OutputFormat format = this.invocation.output().format();
			boolean wide = format == OutputFormat.WIDE
					|| format == OutputFormat.TABLE && this.invocation.surroundings().terminal().isThere();
			return wide ? printWide(session) : print(session);
		}
	}

	/** As Go's program prints them. */
	private int print(Session session) {
		List<String> names = session.inspector().queues().stream().sorted().toList();
		if (session.isCluster()) {
			List<Placed> placed = names.stream().map((name) -> place(session, name)).toList();
			this.invocation.output().printAll(placed, (out) -> {
				Table table = new Table("Queue", "Cluster KeySlot", "Cluster Nodes");
				placed.forEach((queue) -> table.row(Cell.text(queue.queue()), queue.slot(), nodes(queue.nodes())));
				table.print(out);
			});
		}
		else {
			this.invocation.output().printAll(names, (out) -> names.forEach((name) -> out.println(Cell.text(name))));
		}
		return 0;
	}

	private int printWide(Session session) {
		Board board = session.board().read();
		List<String> served = session.inspector()
			.servers()
			.stream()
			.filter(ServerInfo::takesTasks)
			.flatMap((server) -> server.queues().keySet().stream())
			.toList();
		List<String> titles = new ArrayList<>(List.of("Queue"));
		if (session.isCluster()) {
			titles.addAll(List.of("Cluster KeySlot", "Cluster Nodes"));
		}
		titles.addAll(List.of("State", "Tasks", "Latency", "Consumers"));
		Table table = new Table(titles.toArray(String[]::new));
		for (QueueInfo queue : board.queues()) {
			List<Object> cells = new ArrayList<>(List.of(Cell.text(queue.queue())));
			if (session.isCluster()) {
				Placed placed = place(session, queue.queue());
				cells.addAll(List.of(placed.slot(), nodes(placed.nodes())));
			}
			int consumers = Collections.frequency(served, queue.queue());
			cells.addAll(List.of(state(queue, consumers), queue.size(), GoTimes.rounded(queue.latency()), consumers));
			table.row(cells.toArray());
		}
		table.print(this.invocation.surroundings().out(), this.invocation.columns());
		return this.invocation.tellUnreadable(board);
	}

	private static String state(QueueInfo queue, int consumers) {
		if (queue.paused()) {
			return "paused";
		}
		return (consumers > 0) ? "running" : "not served";
	}

	private static Placed place(Session session, String queue) {
		return new Placed(queue, session.inspector().clusterKeySlot(queue), session.inspector().clusterNodes(queue));
	}

	private static String nodes(List<ClusterNode> nodes) {
		return nodes.stream().map((node) -> node.id() + " " + node.address()).toList().toString();
	}

}
