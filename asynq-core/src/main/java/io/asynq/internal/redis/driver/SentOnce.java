package io.asynq.internal.redis.driver;

import java.nio.ByteBuffer;
import java.util.List;

import io.lettuce.core.RedisException;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;

/**
 * Lettuce writes any unanswered command again after a reconnect, whatever
 * {@code replayFilter} says; this one then fails and writes a PING in its place, because
 * answers are matched by order.
 */
final class SentOnce extends AsyncCommand<byte[], byte[], List<Object>> {

	private final Answer answer;

	SentOnce(CommandType type, CommandArgs<byte[], byte[]> args) {
		this(type, args, new Answer());
	}

	private SentOnce(CommandType type, CommandArgs<byte[], byte[]> args, Answer answer) {
		super(new Command<>(type, answer, args));
		this.answer = answer;
	}

	/** Once complete, the command is never written again. */
	boolean mayBeDone() {
		return this.answer.expected;
	}

	@Override
	public void encode(ByteBuf buffer) {
		boolean again = this.answer.expected;
		// Set before the check whether the caller gave up, who then reads it
		this.answer.expected = true;
		if (again || isDone()) {
			this.answer.ofPing = true;
			completeExceptionally(new NotAnsweredException());
			new Command<>(CommandType.PING, this.answer, null).encode(buffer);
		}
		else {
			super.encode(buffer);
		}
	}

	/** A cluster node that redirects has not executed anything. */
	private static final class Answer extends NestedMultiOutput<byte[], byte[]> {

		private volatile boolean expected;

		private volatile boolean ofPing;

		Answer() {
			super(ByteArrayCodec.INSTANCE);
		}

		@Override
		public void setError(ByteBuffer error) {
			super.setError(error);
			this.expected = this.ofPing;
		}

	}

	static final class NotAnsweredException extends RedisException implements NotAnswered {

		private static final long serialVersionUID = 1;

		NotAnsweredException() {
			super("the connection was lost before the answer came");
		}

		NotAnsweredException(RuntimeException reason) {
			this();
			// No cause: the innermost message is shown, and a cancellation has none
			addSuppressed(reason);
		}

	}

}
