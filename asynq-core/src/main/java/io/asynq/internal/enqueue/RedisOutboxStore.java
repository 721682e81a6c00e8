package io.asynq.internal.enqueue;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

import com.google.protobuf.InvalidProtocolBufferException;
import io.asynq.AsynqException;
import io.asynq.BrokerException;
import io.asynq.DuplicateTaskException;
import io.asynq.TaskIdConflictException;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.PublishedQueues;
import io.asynq.internal.redis.Refusal;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.redis.TaskMessageCodec;
import io.asynq.internal.redis.Text;
import org.jspecify.annotations.Nullable;

/** Marks lie in the queue's slot, so that task and mark are written atomically. */
public final class RedisOutboxStore implements OutboxStore {

	/** What the script answers if a task has a mark. */
	private static final int MARKED = 2;

	/** An hour more, because the age of a task goes by another clock. */
	private static final Duration MARK_LIFE = MAX_AGE.plusHours(1);

	private final ScriptRunner scripts;

	private final ScriptTime time;

	private final PublishedQueues published;

	public RedisOutboxStore(ScriptRunner scripts, ScriptTime time, PublishedQueues published) {
		this.scripts = scripts;
		this.time = time;
		this.published = published;
	}

	@Override
	public OutboxTask pack(EnqueueRequest request, String mark) {
		// The lock is named here: a stored message does not tell an empty payload from
		// none
		NewTask task = NewTask.of(request);
		Long due = (request.placement() instanceof Placement.Scheduled later) ? Text.seconds(later.at()) : null;
		Long lock = (request.lockTtl() != null) ? request.lockTtl().toSeconds() : null;
		return new OutboxTask(mark, task.queue(), task.id(), task.message().type(), task.bytes(), due, lock,
				task.replaces());
	}

	@Override
	public EnqueueRequest unpack(OutboxTask task) {
		try {
			TaskMessage message = TaskMessageCodec.decode(task.message()).at(task.queue(), task.id());
			return new EnqueueRequest(message, placement(message, task.dueSeconds()),
					(task.lockSeconds() != null) ? Duration.ofSeconds(task.lockSeconds()) : null, null,
					task.replacesArchived());
		}
		catch (InvalidProtocolBufferException ex) {
			throw new BrokerException("The message of " + Text.task(task.queue(), task.id())
					+ " in the outbox cannot be decoded: something else has written it", ex);
		}
	}

	@Override
	public Begun begin(String queue, Collection<String> deleted) {
		List<Object> args = new ArrayList<>(3 + deleted.size());
		args.addAll(List.of(this.time.argument(), MARK_LIFE.toSeconds(), 2 * SENDING_TIME.toSeconds()));
		args.addAll(deleted);
		List<Object> answer = this.scripts.runList(LuaScript.BEGIN_OUTBOX, "outbox, " + Text.queue(queue),
				List.of(Keys.of(queue).outbox()), args.toArray());
		return new Begun(instant(answer.get(0)), (Long) answer.get(1) > 0);
	}

	@Override
	public List<OutboxAnswer> send(String queue, List<OutboxTask> tasks, Instant until) {
		List<NewTask> unpacked = tasks.stream().map(this::task).toList();
		this.published.publish(queue);
		Keys keys = Keys.of(queue);
		List<Object> args = new ArrayList<>(4 + tasks.size() * 9);
		args.addAll(List.of(keys.prefix(), this.time.argument(), seconds(until), MARK_LIFE.toSeconds()));
		for (int i = 0; i < tasks.size(); i++) {
			args.add(tasks.get(i).mark());
			args.addAll(unpacked.get(i).args());
		}
		int[] codes = this.scripts.runCodes(LuaScript.SEND_OUTBOX, "outbox, " + Text.queue(queue),
				List.of(keys.pending(), keys.outbox()), args);
		List<OutboxAnswer> answers = new ArrayList<>(tasks.size());
		for (int i = 0; i < codes.length; i++) {
			answers.add(answer(unpacked.get(i).message(), codes[i]));
		}
		return answers;
	}

	private NewTask task(OutboxTask task) {
		EnqueueRequest request = unpack(task);
		return new NewTask(request, request.message(), task.message());
	}

	private static OutboxAnswer answer(TaskMessage message, int code) {
		if (code == MARKED) {
			return new OutboxAnswer(OutboxAnswer.Kind.REPEATED, null);
		}
		Optional<AsynqException> error = Refusal.of(message, code);
		return error
			.map((refusal) -> new OutboxAnswer(
					isFinal(refusal) ? OutboxAnswer.Kind.DUPLICATE : OutboxAnswer.Kind.REFUSED, refusal))
			.orElseGet(() -> new OutboxAnswer(OutboxAnswer.Kind.STORED, null));
	}

	private static boolean isFinal(AsynqException refusal) {
		return refusal instanceof DuplicateTaskException || refusal instanceof TaskIdConflictException;
	}

	private static Placement placement(TaskMessage message, @Nullable Long due) {
		if (due != null) {
			return new Placement.Scheduled(Instant.ofEpochSecond(due));
		}
		return message.group().isEmpty() ? new Placement.Pending() : new Placement.Grouped();
	}

	private static String seconds(Instant instant) {
		String micros = String.valueOf(1_000_000 + instant.getNano() / 1000);
		return instant.getEpochSecond() + "." + micros.substring(1);
	}

	private static Instant instant(Object micros) {
		return Instant.EPOCH.plus(Long.parseLong(Text.of(micros)), ChronoUnit.MICROS);
	}

}
