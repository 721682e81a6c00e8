package io.asynq.cli.queue;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;

import io.asynq.cli.command.Invocation;
import io.asynq.cli.connect.Session;
import io.asynq.cli.output.Cell;
import io.asynq.cli.output.Table;
import io.asynq.info.ClusterNode;
import io.asynq.operate.QueueOperations.Placed;
import picocli.CommandLine.Command;

/**
 * Lists queues.
 */
@Command(name = "list", aliases = "ls", description = "List queues.")
public final class QueueListCommand implements Callable<Integer> {

	private final Invocation invocation;

	public QueueListCommand(Invocation invocation) {
		this.invocation = invocation;
	}

	@Override
	public Integer call() {
		return this.invocation.run((session) -> {
			List<String> names = session.inspector().queues().stream().sorted().toList();
			if (session.isCluster()) {
				List<Placed> placed = names.stream().map((name) -> place(session, name)).toList();
				this.invocation.output().printAll(placed, (out) -> print(placed, out));
			}
			else {
				this.invocation.output()
					.printAll(names, (out) -> names.forEach((name) -> out.println(Cell.text(name))));
			}
		});
	}

	private static Placed place(Session session, String queue) {
		return new Placed(queue, session.inspector().clusterKeySlot(queue), session.inspector().clusterNodes(queue));
	}

	private static void print(List<Placed> queues, PrintWriter out) {
		Table table = new Table("Queue", "Cluster KeySlot", "Cluster Nodes");
		queues.forEach((queue) -> table.row(Cell.text(queue.queue()), queue.slot(), nodes(queue.nodes())));
		table.print(out);
	}

	private static String nodes(List<ClusterNode> nodes) {
		return nodes.stream().map((node) -> node.id() + " " + node.address()).toList().toString();
	}

}
