package io.asynq.internal.redis;

import java.nio.charset.StandardCharsets;

import com.google.protobuf.InvalidProtocolBufferException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class StoredIdsTests {

	private static final byte[] MESSAGE = TaskMessageCodec.encode(RedisState.message("default", "t1").build());

	@ParameterizedTest
	@ValueSource(strings = { "t1", "t2", "\u00e4\ud83d\ude00", "\ufffd" })
	void messageGetsIdOfItsKey(String id) throws InvalidProtocolBufferException {
		assertThat(TaskMessageCodec.decode("default", id.getBytes(StandardCharsets.UTF_8), MESSAGE).id()).isEqualTo(id);
	}

	@Test
	void invalidUtf8IdIsRejected() {
		byte[][] broken = { { (byte) 0xff }, { 't', (byte) 0xc3 }, { (byte) 0xed, (byte) 0xa0, (byte) 0x80 },
				{ (byte) 0xef, (byte) 0xbf, (byte) 0xbd, (byte) 0x80 } };
		for (byte[] id : broken) {
			assertThatExceptionOfType(InvalidProtocolBufferException.class)
				.isThrownBy(() -> TaskMessageCodec.decode("default", id, MESSAGE))
				.withMessage("The id is not UTF-8");
		}
	}

}
