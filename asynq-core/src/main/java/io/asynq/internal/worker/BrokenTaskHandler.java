package io.asynq.internal.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.function.Supplier;

import com.google.protobuf.InvalidProtocolBufferException;
import io.asynq.BrokerException;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.Statistics;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.redis.TaskMessageCodec;
import io.asynq.internal.redis.Text;
import io.asynq.internal.redis.WrongTypeException;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.server.BrokenTask;
import io.asynq.server.BrokenTaskListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Broken tasks must block no others. */
public final class BrokenTaskHandler {

	private static final Logger logger = OneLineLogger.of(BrokenTaskHandler.class);

	private final ScriptRunner scripts;

	private final ScriptTime time;

	private final BrokenTaskListener listener;

	public BrokenTaskHandler(ScriptRunner scripts, ScriptTime time, BrokenTaskListener listener) {
		this.scripts = scripts;
		this.time = time;
		this.listener = listener;
	}

	void removed(String queue, List<?> idsAndKinds) {
		for (int i = 0; i < idsAndKinds.size(); i += 2) {
			BrokenTask.Kind kind = BrokenTask.Kind.valueOf(Text.of(idsAndKinds.get(i + 1)).toUpperCase(Locale.ROOT));
			this.listener.onBrokenTask(new BrokenTask(queue, Text.of(idsAndKinds.get(i)), kind));
		}
	}

	<T> T telling(String queue, Supplier<T> call) {
		try {
			return call.get();
		}
		catch (WrongTypeException ex) {
			tell(queue, ex);
			throw ex;
		}
	}

	void tell(String queue, BrokerException error) {
		if (error instanceof WrongTypeException wrong) {
			this.listener.onBrokenTask(new BrokenTask(queue, wrong.key(), BrokenTask.Kind.UNUSABLE_KEY));
		}
	}

	/** Archives what cannot be decoded, but for tasks that others may still work on. */
	public List<TaskMessage> decode(String queue, List<?> idsAndMessages, IntFunction<@Nullable Hands> hands) {
		List<TaskMessage> messages = new ArrayList<>(idsAndMessages.size() / 2);
		List<Undecodable> undecodable = new ArrayList<>();
		for (int i = 0; i < idsAndMessages.size(); i += 2) {
			byte[] id = (byte[]) idsAndMessages.get(i);
			try {
				messages.add(TaskMessageCodec.decode(queue, id, (byte[]) idsAndMessages.get(i + 1)));
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
			// The other tasks must be run; these are found again when their leases have
			// ended
			logger.warn("{} undecodable tasks in queue {} could not be archived: {}", undecodable.size(), queue,
					ex.getMessage());
		}
		return messages;
	}

	private void archive(String queue, List<Undecodable> tasks) {
		if (tasks.isEmpty()) {
			return;
		}
		Keys keys = Keys.of(queue);
		Statistics statistics = new Statistics(keys, this.time);
		List<Object> args = new ArrayList<>(statistics.args());
		args.addAll(Statistics.archiveLimits());
		tasks.forEach((task) -> args.addAll(List.of(task.id(), task.hands().fence(), task.hands().leaseEnd())));
		int[] codes = this.scripts.runCodes(LuaScript.ARCHIVE_UNDECODABLE, Text.queue(queue),
				statistics.failureKeys(keys.active(), keys.lease(), keys.archived()), args);
		List<Undecodable> left = new ArrayList<>();
		for (int i = 0; i < codes.length; i++) {
			if (codes[i] == TaskCompleter.AGAIN) {
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
	 * The holder of a task as it was read: without a fence if it is none of ours, without
	 * a lease end if the task was taken just now.
	 */
	public record Hands(String fence, String leaseEnd) {

		public static Hands ofAttempt(String fence) {
			return new Hands(fence, "");
		}

	}

	private record Undecodable(byte[] id, Hands hands) {
	}

}
