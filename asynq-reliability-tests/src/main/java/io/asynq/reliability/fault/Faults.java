package io.asynq.reliability.fault;

import java.util.List;
import java.util.function.Supplier;

/** All faults, in the order of the table. */
public final class Faults {

	private static final List<Supplier<Fault>> ALL = List.of(NoFault::new, SigKill::ofJava, SigKill::ofBoth,
			SigKillAggregating::new, SigKillSchedulers::new, SigKillLimited::new, SigStop::new, RollingRestart::new,
			OrderlyExit::new, DeadlyAggregator::new, ScriptFlush::new, ClientKill::new, ClockSkew::new, ClockStep::new,
			RedisClockStep::running, RedisClockStep::promoted, SlowRedis::new, RedisKill::always,
			RedisKill::everySecond, SentinelFailover::new, ClusterFailover::new, ClusterSlotMove::new, DropAnswers::new,
			() -> new Latency(1), () -> new Latency(100), RefusedWrites::maxMemory, RefusedWrites::readOnlyReplica,
			RefusedWrites::fullDisk, SilentNetwork::new, OutageHeld::new, ManyNames::new, BusyPool::new,
			StopWithoutRedis::new, ThrowingCallbacks::new);

	private Faults() {
	}

	public static List<Fault> all() {
		return ALL.stream().<Fault>map(Supplier::get).toList();
	}

}
