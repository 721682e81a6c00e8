package io.asynq.internal.redis.driver;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SentOnceTests {

	private final SentOnce command = new SentOnce(CommandType.EVAL, new CommandArgs<>(ByteArrayCodec.INSTANCE));

	@Test
	void writtenCommandIsNotWrittenAgain() {
		assertThat(written()).contains("EVAL");
		assertThat(written()).contains("PING").doesNotContain("EVAL");
		assertThat(this.command).isCompletedExceptionally();
		assertThat(this.command.mayBeDone()).isTrue();
	}

	@Test
	void commandRefusedByRedisIsWrittenAgain() {
		assertThat(written()).contains("EVAL");
		refuse();
		assertThat(this.command.mayBeDone()).isFalse();
		assertThat(written()).contains("EVAL");
	}

	@Test
	void abandonedCommandIsNotWritten() {
		this.command.cancel();
		assertThat(this.command.mayBeDone()).isFalse();
		assertThat(written()).contains("PING").doesNotContain("EVAL");
	}

	@Test
	void refusedPingDoesNotAffectScript() {
		written();
		written();
		refuse();
		assertThat(this.command.mayBeDone()).isTrue();
	}

	private String written() {
		ByteBuf buffer = Unpooled.buffer();
		this.command.encode(buffer);
		return buffer.toString(StandardCharsets.US_ASCII);
	}

	private void refuse() {
		this.command.getOutput().setError(ByteBuffer.wrap("LOADING".getBytes(StandardCharsets.US_ASCII)));
	}

}
