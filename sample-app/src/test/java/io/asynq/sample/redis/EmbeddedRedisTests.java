package io.asynq.sample.redis;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class EmbeddedRedisTests {

	@ParameterizedTest
	@CsvSource({ "Linux, amd64, linux-amd64", "Linux, aarch64, linux-arm64", "Mac OS X, x86_64, darwin-amd64",
			"Mac OS X, aarch64, darwin-arm64", "Linux, riscv64, linux-riscv64", "Windows 11, amd64, windows 11-amd64" })
	void executableIsNamedLikePlatform(String system, String processor, String platform) {
		assertThat(EmbeddedRedis.platform(system, processor)).isEqualTo(platform);
	}

}
