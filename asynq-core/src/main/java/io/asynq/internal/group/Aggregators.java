package io.asynq.internal.group;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.asynq.internal.group.GroupStore.End;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.ServerIdentity;
import io.asynq.internal.redis.Text;
import io.asynq.internal.worker.CrashRecord;

/** Which server aggregates which set, and how many servers died over which group. */
final class Aggregators {

	/** A server that lives says sooner that the time of its aggregator was over. */
	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final ScriptRunner scripts;

	private final ScriptTime time;

	Aggregators(ScriptRunner scripts, ScriptTime time) {
		this.scripts = scripts;
		this.time = time;
	}

	CrashRecord begin(StagedGroup staged) {
		Keys keys = Keys.of(staged.queue());
		ServerIdentity server = ServerIdentity.ofThisProcess();
		return record(
				Text.of(this.scripts
					.runList(LuaScript.BEGIN_AGGREGATOR, Text.queue(staged.queue()),
							List.of(keys.aggregators(), keys.aggregatorCrashes()), staged.set(), staged.group(),
							server.host() + ":" + server.pid(), Text.seconds(staged.expiresAt()), keys.groupPrefix(),
							this.time.argument())
					.get(0)));
	}

	void end(StagedGroup staged, End how) {
		Keys keys = Keys.of(staged.queue());
		String text = switch (how) {
			case BY_ITSELF -> "own";
			case CUT_SHORT -> "cut";
			case CRASHED -> "crash";
		};
		this.scripts.runLong(LuaScript.END_AGGREGATOR, Text.queue(staged.queue()),
				List.of(keys.aggregators(), keys.aggregatorCrashes()), staged.set(), staged.group(), text,
				this.time.argument(), keys.groupPrefix());
	}

	int countCrashed(String queue) {
		Keys keys = Keys.of(queue);
		return (int) this.scripts.runLong(LuaScript.COUNT_CRASHED_AGGREGATORS, Text.queue(queue),
				List.of(keys.aggregators(), keys.aggregatorCrashes()), this.time.argument(), keys.groupPrefix(),
				PATIENCE.toSeconds());
	}

	private static CrashRecord record(String text) {
		int bar = text.indexOf('|');
		String count = text.substring(0, Math.max(bar, 0));
		if (!count.matches("\\d{1,6}")) {
			return CrashRecord.CLEAN;
		}
		List<String> deaths = Stream.of(text.substring(bar + 1).split(",")).map(Aggregators::death).toList();
		return new CrashRecord(true, Integer.parseInt(count), deaths, 0);
	}

	private static String death(String serverAndSeconds) {
		int space = serverAndSeconds.lastIndexOf(' ');
		String seconds = serverAndSeconds.substring(space + 1);
		return seconds.matches("\\d{1,12}")
				? serverAndSeconds.substring(0, space + 1) + Text.instant(Long.parseLong(seconds)) : serverAndSeconds;
	}

}
