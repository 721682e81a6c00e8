package io.asynq.console.http;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class DirectHostsTests {

	@ParameterizedTest
	@CsvSource({ "127.0.0.1,localhost:8080,true", "127.0.0.1,127.0.0.1,true", "0:0:0:0:0:0:0:1,[::1]:8080,true",
			"::1,LOCALHOST,true", "127.9.9.9,localhost,true", "10.0.0.7,localhost,false", "172.17.0.1,localhost,false",
			"127.0.0.1,evil.example:8080,false", "127.0.0.1,127.0.0.1.evil.example,false", "127.0.0.1,,false",
			"localhost,localhost,false", ",localhost,false", "127.0.0.1,'localhost:8080, evil',false",
			"127.0.0.1,0x7f.1,false" })
	void onlyBrowsersOfThisMachineAreDirect(@Nullable String peer, @Nullable String host, boolean direct) {
		assertThat(DirectHosts.isDirect(peer, host, List.of("accept"))).isEqualTo(direct);
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "X-Forwarded-For", "x-forwarded-host", "X-Forwarded-Prefix", "Forwarded", "Via", "X-Real-IP" })
	void proxyIsNotDirect(String header) {
		assertThat(DirectHosts.isDirect("127.0.0.1", "localhost", List.of("Accept", header))).isFalse();
	}

	@Test
	void otherHeadersDoNotMatter() {
		assertThat(DirectHosts.isDirect("127.0.0.1", "localhost", List.of("X-Asynq-Console", "Cookie"))).isTrue();
	}

}
