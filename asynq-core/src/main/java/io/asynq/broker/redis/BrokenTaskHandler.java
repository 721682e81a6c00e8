package io.asynq.broker.redis;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.asynq.broker.BrokenTask;
import io.asynq.broker.BrokenTaskListener;

/**
 * Deals with data that makes no sense, so that it blocks nobody, and tells of it.
 */
final class BrokenTaskHandler {

	private final ScriptRunner scripts;

	private final Clock clock;

	private final BrokenTaskListener listener;

	BrokenTaskHandler(ScriptRunner scripts, Clock clock, BrokenTaskListener listener) {
		this.scripts = scripts;
		this.clock = clock;
		this.listener = listener;
	}

	/**
	 * Tells of ids that a script has removed.
	 * @param queue the queue
	 * @param idsAndKinds pairs of id and kind, as scripts return them
	 */
	void removed(String queue, List<?> idsAndKinds) {
		for (int i = 0; i < idsAndKinds.size(); i += 2) {
			BrokenTask.Kind kind = Text.of(idsAndKinds.get(i + 1)).equals("missing") ? BrokenTask.Kind.MISSING
					: BrokenTask.Kind.WRONG_TYPE;
			this.listener.onBrokenTask(new BrokenTask(queue, Text.of(idsAndKinds.get(i)), kind));
		}
	}

	/**
	 * Archives active tasks whose message cannot be decoded, their bytes untouched.
	 * @param queue the queue
	 * @param ids their ids
	 */
	void archive(String queue, List<byte[]> ids) {
		if (ids.isEmpty()) {
			return;
		}
		Keys keys = Keys.of(queue);
		Instant now = this.clock.instant();
		Statistics statistics = new Statistics(keys, now);
		List<Object> args = new ArrayList<>(statistics.args());
		args.add(Text.seconds(now));
		args.addAll(ids);
		this.scripts.runCodes(LuaScript.ARCHIVE_UNDECODABLE, Text.queue(queue),
				statistics.failureKeys(keys.active(), keys.lease(), keys.archived()), args);
		for (byte[] id : ids) {
			this.listener.onBrokenTask(new BrokenTask(queue, Text.of(id), BrokenTask.Kind.UNDECODABLE));
		}
	}

}
