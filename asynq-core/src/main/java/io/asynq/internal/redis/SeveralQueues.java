package io.asynq.internal.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.asynq.AsynqException;
import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Not on a cluster, where a script may name keys of one slot only. */
public final class SeveralQueues {

	private static final Logger logger = OneLineLogger.of(SeveralQueues.class);

	/** How long queues are called one by one after a call for several was refused. */
	private static final Duration APART = Duration.ofMinutes(1);

	private final ScriptRunner scripts;

	private volatile boolean single;

	private volatile long apartUntil = System.nanoTime();

	public SeveralQueues(ScriptRunner scripts) {
		this.scripts = scripts;
	}

	public boolean arePossible() {
		return isSingle() && System.nanoTime() - this.apartUntil >= 0;
	}

	private boolean isSingle() {
		if (!this.single) {
			try {
				this.single = !this.scripts.seesCluster();
			}
			catch (AsynqException ex) {
				// The calls themselves tell
				return false;
			}
		}
		return this.single;
	}

	/**
	 * Empty if Redis refused the call as a whole, for the user's rights on keys or
	 * because a proxy hides a cluster.
	 */
	public List<Answer> call(LuaScript script, List<Call> calls) {
		List<String> keys = new ArrayList<>();
		List<Object> args = new ArrayList<>();
		args.add(calls.get(0).keys().size());
		for (Call call : calls) {
			keys.addAll(call.keys());
			args.add(call.args().size());
			args.addAll(call.args());
		}
		try {
			List<Object> answers = this.scripts.runList(script, calls.size() + " queues", keys, args.toArray());
			List<Answer> read = new ArrayList<>(answers.size());
			for (int i = 0; i < answers.size(); i++) {
				read.add(read(script, calls.get(i).queue(), answers.get(i)));
			}
			return read;
		}
		catch (BrokerUnavailableException ex) {
			throw ex;
		}
		catch (BrokerException ex) {
			this.apartUntil = System.nanoTime() + APART.toNanos();
			logger.debug("Queues are called one by one for {}", APART, ex);
			return List.of();
		}
	}

	private Answer read(LuaScript script, String queue, Object answer) {
		return (answer instanceof List<?> list) ? new Answer(list, null)
				: new Answer(List.of(), this.scripts.refusal(script, Text.queue(queue), Text.of(answer)));
	}

	public record Call(String queue, List<String> keys, List<Object> args) {
	}

	public record Answer(List<?> answer, @Nullable BrokerException error) {
	}

}
