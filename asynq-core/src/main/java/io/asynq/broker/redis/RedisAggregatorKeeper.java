package io.asynq.broker.redis;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.asynq.BrokerException;
import io.asynq.broker.AggregatorKeeper;
import io.asynq.broker.CrashRecord;
import io.asynq.broker.ServerIdentity;
import io.asynq.broker.StagedGroup;

/**
 * Keeps two hashes of ours for each queue: who aggregates which set, and how many servers
 * have died over which group.
 */
final class RedisAggregatorKeeper implements AggregatorKeeper {

	/** A server that lives says sooner that the time of its aggregator was over. */
	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final ScriptRunner scripts;

	private final ScriptTime time;

	RedisAggregatorKeeper(ScriptRunner scripts, ScriptTime time) {
		this.scripts = scripts;
		this.time = time;
	}

	@Override
	public CrashRecord begin(StagedGroup staged) {
		Keys keys = Keys.of(staged.queue());
		ServerIdentity server = ServerIdentity.ofThisProcess();
		String answer = Text.of(
				this.scripts
					.runList(LuaScript.BEGIN_AGGREGATOR, Text.queue(staged.queue()),
							List.of(keys.aggregators(), keys.aggregatorCrashes()), staged.set(), staged.group(),
							server.host() + ":" + server.pid(), Text.seconds(staged.expiresAt()), keys.groupPrefix(),
							this.time.argument())
					.get(0));
		requireUsable(answer.equals("-2") ? -2 : 1, staged.queue(), keys);
		return record(answer);
	}

	@Override
	public void end(StagedGroup staged, End how) {
		Keys keys = Keys.of(staged.queue());
		String text = switch (how) {
			case BY_ITSELF -> "own";
			case CUT_SHORT -> "cut";
			case CRASHED -> "crash";
		};
		requireUsable(this.scripts.runLong(LuaScript.END_AGGREGATOR, Text.queue(staged.queue()),
				List.of(keys.aggregators(), keys.aggregatorCrashes()), staged.set(), staged.group(), text,
				this.time.argument(), keys.groupPrefix()), staged.queue(), keys);
	}

	@Override
	public int countCrashed(String queue) {
		Keys keys = Keys.of(queue);
		long counted = this.scripts.runLong(LuaScript.COUNT_CRASHED_AGGREGATORS, Text.queue(queue),
				List.of(keys.aggregators(), keys.aggregatorCrashes()), this.time.argument(), keys.groupPrefix(),
				PATIENCE.toSeconds());
		requireUsable(counted, queue, keys);
		return (int) counted;
	}

	private static CrashRecord record(String text) {
		int bar = text.indexOf('|');
		String count = text.substring(0, Math.max(bar, 0));
		if (!count.matches("\\d{1,6}")) {
			return CrashRecord.CLEAN;
		}
		List<String> deaths = Stream.of(text.substring(bar + 1).split(",")).map(RedisAggregatorKeeper::death).toList();
		return new CrashRecord(true, Integer.parseInt(count), deaths, 0);
	}

	private static String death(String serverAndSeconds) {
		int space = serverAndSeconds.lastIndexOf(' ');
		String seconds = serverAndSeconds.substring(space + 1);
		return seconds.matches("\\d{1,12}")
				? serverAndSeconds.substring(0, space + 1) + Text.instant(Long.parseLong(seconds)) : serverAndSeconds;
	}

	private static void requireUsable(long code, String queue, Keys keys) {
		if (code == -2) {
			throw new BrokerException(
					"Aggregators of queue '" + queue + "' cannot be noted: " + keys.aggregators() + " or "
							+ keys.aggregatorCrashes() + " has the wrong type in Redis; rename or delete that key",
					null);
		}
	}

}
