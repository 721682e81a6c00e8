package io.asynq.broker.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;

import com.google.protobuf.InvalidProtocolBufferException;
import io.asynq.BrokerException;
import io.asynq.broker.BrokenTask;
import io.asynq.broker.BrokenTaskListener;
import io.asynq.broker.TaskMessage;
import io.asynq.logging.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Deals with data that makes no sense, so that it blocks nobody, and tells of it.
 */
final class BrokenTaskHandler {

	private static final Logger logger = OneLineLogger.of(BrokenTaskHandler.class);

	private final ScriptRunner scripts;

	private final ScriptTime time;

	private final BrokenTaskListener listener;

	BrokenTaskHandler(ScriptRunner scripts, ScriptTime time, BrokenTaskListener listener) {
		this.scripts = scripts;
		this.time = time;
		this.listener = listener;
	}

	/**
	 * Tells of what a script has found.
	 * @param queue the queue
	 * @param idsAndKinds pairs of id and kind, as scripts return them
	 */
	void removed(String queue, List<?> idsAndKinds) {
		for (int i = 0; i < idsAndKinds.size(); i += 2) {
			BrokenTask.Kind kind = BrokenTask.Kind.valueOf(Text.of(idsAndKinds.get(i + 1)).toUpperCase(Locale.ROOT));
			this.listener.onBrokenTask(new BrokenTask(queue, Text.of(idsAndKinds.get(i)), kind));
		}
	}

	/**
	 * Tells of a key that nothing can be done with.
	 * @param queue the queue
	 * @param key the key's full name
	 */
	void unusable(String queue, String key) {
		this.listener.onBrokenTask(new BrokenTask(queue, key, BrokenTask.Kind.UNUSABLE_KEY));
	}

	/**
	 * Decodes messages of active tasks and archives those that cannot be decoded.
	 * @param queue the queue
	 * @param idsAndMessages pairs of id and message, as scripts return them
	 * @param hands says in whose hands each was seen, by its number; what others may
	 * still work on has none, and is left alone
	 * @return the messages that can be decoded
	 */
	List<TaskMessage> decode(String queue, List<?> idsAndMessages, IntFunction<@Nullable Hands> hands) {
		List<TaskMessage> messages = new ArrayList<>(idsAndMessages.size() / 2);
		List<Undecodable> undecodable = new ArrayList<>();
		for (int i = 0; i < idsAndMessages.size(); i += 2) {
			byte[] id = (byte[]) idsAndMessages.get(i);
			try {
				messages.add(StoredMessages.decode(queue, id, (byte[]) idsAndMessages.get(i + 1)));
			}
			catch (InvalidProtocolBufferException ex) {
				Hands seen = hands.apply(i / 2);
				if (seen != null) {
					undecodable.add(new Undecodable(id, seen));
				}
			}
		}
		try {
			archive(queue, undecodable);
		}
		catch (BrokerException ex) {
			// The others must be worked on; these are found again when their leases have
			// ended
			logger.warn("{} undecodable tasks of queue '{}' could not be archived: {}", undecodable.size(), queue,
					ex.getMessage());
		}
		return messages;
	}

	/**
	 * Archives active tasks whose message cannot be decoded, their bytes untouched.
	 * @param queue the queue
	 * @param tasks the tasks
	 */
	private void archive(String queue, List<Undecodable> tasks) {
		if (tasks.isEmpty()) {
			return;
		}
		Keys keys = Keys.of(queue);
		Statistics statistics = new Statistics(keys, this.time);
		List<Object> args = new ArrayList<>(statistics.args());
		args.addAll(ArchiveLimits.args());
		tasks.forEach((task) -> args.addAll(List.of(task.id(), task.hands().fence(), task.hands().leaseEnd())));
		int[] codes = this.scripts.runCodes(LuaScript.ARCHIVE_UNDECODABLE, Text.queue(queue),
				statistics.failureKeys(keys.active(), keys.lease(), keys.archived()), args);
		List<Undecodable> left = new ArrayList<>();
		for (int i = 0; i < codes.length; i++) {
			if (codes[i] == RedisCompleter.AGAIN) {
				left.add(tasks.get(i));
			}
			else if (codes[i] == 1) {
				this.listener
					.onBrokenTask(new BrokenTask(queue, Text.of(tasks.get(i).id()), BrokenTask.Kind.UNDECODABLE));
			}
		}
		archive(queue, left);
	}

	/**
	 * In whose hands an active task was seen.
	 *
	 * @param fence of the attempt that has it, "" if none of ours has
	 * @param leaseEnd when its lease has ended, s, "" if it was taken just now
	 */
	record Hands(String fence, String leaseEnd) {

		static Hands ofAttempt(String fence) {
			return new Hands(fence, "");
		}

	}

	private record Undecodable(byte[] id, Hands hands) {
	}

}
