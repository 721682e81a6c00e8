package io.asynq.cli.fleet;

import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

import io.asynq.cli.command.Invocation;
import io.asynq.cli.output.Cell;
import io.asynq.cli.output.GoTimes;
import io.asynq.cli.output.Table;
import io.asynq.inspect.ServerInfo;
import picocli.CommandLine.Command;

/**
 * Lists servers.
 */
@Command(name = "list", aliases = "ls", description = "List servers.", footer = "  asynq server ls -o json")
public final class ServerListCommand implements Callable<Integer> {

	private final Invocation invocation;

	public ServerListCommand(Invocation invocation) {
		this.invocation = invocation;
	}

	@Override
	public Integer call() {
		return this.invocation.run((session) -> {
			List<ServerInfo> servers = session.inspector()
				.servers()
				.stream()
				.sorted(Comparator.comparing(ServerInfo::host).thenComparing(ServerInfo::pid))
				.toList();
			this.invocation.output().printAll(servers, (out) -> print(servers, out));
		});
	}

	private void print(List<ServerInfo> servers, PrintWriter out) {
		GoTimes times = this.invocation.times();
		if (servers.isEmpty()) {
			out.println("No running servers");
			return;
		}
		Table table = new Table("Host", "PID", "State", "Active Workers", "Queues", "Started");
		servers.forEach((server) -> table.row(Cell.text(server.host()), server.pid(), Cell.text(server.status()),
				busy(server), queues(server), times.ago(server.startedAt())));
		table.print(out, this.invocation.columns());
	}

	/** With what a Java server has fetched ahead; servers of Go fetch nothing ahead. */
	private static String busy(ServerInfo server) {
		String busy = server.workers().size() + "/" + server.concurrency();
		return (server.heldTasks() > 0) ? busy + " +" + server.heldTasks() + " held" : busy;
	}

	private static String queues(ServerInfo server) {
		return server.queues()
			.entrySet()
			.stream()
			.sorted(Map.Entry.<String, Integer>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
			.map((entry) -> Cell.text(entry.getKey()) + ":" + entry.getValue())
			.collect(Collectors.joining(" "));
	}

}
