package io.asynq.benchmarks.measure;

import java.util.List;
import java.util.function.Consumer;

/** Without a target, only {@code --full} runs it unless it is named. */
public record Measure(String name, boolean hasTarget, Consumer<Bench> run) {

	public static final List<Measure> ALL = List.of(target("backlog", LargeBacklog::run),
			target("workoff", WorkOff::run), target("observations", WorkOff::observations),
			target("workoff-3-queues", (bench) -> WorkOff.queues(bench, 3)),
			target("workoff-8-queues", (bench) -> WorkOff.queues(bench, 8)), target("rtt", WorkOff::roundTrip),
			plain("fetch-ahead", FetchAhead::run), target("handler-10ms", WorkOff::handler10Ms),
			target("enqueue", Enqueue::run), target("pickup", PickUp::run), target("cluster", Cluster::run),
			target("due", DueTime::run), target("idle", Idle::run), target("footprint", Footprint::run),
			plain("scaling", Scaling::run), plain("drain", Drain::run), target("long-active", LongActive::run),
			target("limits", Limits::run));

	private static Measure target(String name, Consumer<Bench> run) {
		return new Measure(name, true, run);
	}

	private static Measure plain(String name, Consumer<Bench> run) {
		return new Measure(name, false, run);
	}

}
