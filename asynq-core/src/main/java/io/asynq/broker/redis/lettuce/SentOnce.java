package io.asynq.broker.redis.lettuce;

import java.nio.ByteBuffer;
import java.util.List;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;

/**
 * A command that goes to Redis once, unless Redis has refused it. Lettuce keeps what it
 * has sent until the answer is there, and writes it once more when a connection is back,
 * whatever it is; {@code replayFilter} does not see that. So this fails when it is to be
 * written again, and writes a PING instead, whose answer nobody waits for: answers are
 * told apart by their order, and an error would end the connection. So it does when it is
 * written for the first time after it was given up.
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

	/**
	 * Returns whether Redis may have done this.
	 * @return {@code false} if it was not written, or refused; once it is done, it will
	 * not be written any more
	 */
	boolean mayBeDone() {
		return this.answer.expected;
	}

	@Override
	public void encode(ByteBuf buffer) {
		boolean again = this.answer.expected;
		// Before it is looked whether somebody gives up, who then asks for this
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

	/**
	 * An integer, as the only element, or an array. A node of a cluster that says where
	 * else to ask has not done anything.
	 */
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

}
