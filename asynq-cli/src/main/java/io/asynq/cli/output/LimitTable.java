package io.asynq.cli.output;

import java.io.PrintWriter;
import java.util.List;

import io.asynq.inspect.LimitInfo;

/**
 * The table of limits over all servers.
 */
public final class LimitTable {

	private LimitTable() {
	}

	public static void print(List<LimitInfo> limits, PrintWriter out) {
		Table table = new Table("Limit", "Held", "Concurrent", "Rate", "Waiting", "Keys");
		limits.forEach((limit) -> table.row(Cell.text(limit.name()), limit.held(),
				(limit.concurrent() > 0) ? limit.concurrent() : "-",
				(limit.rate() != null) ? Cell.text(limit.rate()) : "-", limit.waiting(), limit.keys()));
		table.print(out);
	}

}
