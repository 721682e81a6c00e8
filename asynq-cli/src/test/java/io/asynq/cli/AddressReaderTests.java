package io.asynq.cli;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class AddressReaderTests {

	@Test
	void isLocalByDefault() {
		RedisAddress address = read(Map.of());
		assertThat(address.nodes()).containsExactly(new RedisAddress.Node("127.0.0.1", 6379));
		assertThat(address.kind()).isEqualTo(RedisAddress.Kind.STANDALONE);
		assertThat(address.database()).isZero();
		assertThat(address.password()).isNull();
		assertThat(address.tls()).isNull();
	}

	@ParameterizedTest
	@CsvSource({ "localhost:7000, localhost, 7000", ":7000, 127.0.0.1, 7000", "redis.example, redis.example, 6379",
			"redis://h, h, 6379", "redis://h:1/3, h, 1", "redis://:pw@h:1, h, 1", "redis://u:p%40w@h:1/0, h, 1",
			"REDIS://h:1, h, 1", "rediss://h:2, h, 2", "'redis://[::1]:7', ::1, 7", "'[::1]:7', ::1, 7" })
	void readsHost(String uri, String host, int port) {
		assertThat(read(Map.of("uri", uri)).nodes()).containsExactly(new RedisAddress.Node(host, port));
	}

	@ParameterizedTest
	@CsvSource(nullValues = "-",
			value = { "redis://u:p%40w@h, u, p@w", "redis://:pw@h, -, pw", "redis://pw@h, -, pw",
					"redis://u:a:b@h, u, a:b", "redis://u:p@w@h, u, p@w", "redis://u:a+b@h, u, a+b",
					"redis://u:a/b@h, u, a/b", "h:1, -, -" })
	void readsLogin(String uri, String user, String password) {
		RedisAddress address = read(Map.of("uri", uri));
		assertThat(address.username()).isEqualTo(user);
		assertThat(address.password()).isEqualTo(password);
	}

	@Test
	void readsSentinels() {
		RedisAddress address = read(Map.of("uri", "redis-sentinel://:pw@a:1,b:2/4?master=mymaster"));
		assertThat(address.kind()).isEqualTo(RedisAddress.Kind.SENTINEL);
		assertThat(address.nodes()).containsExactly(new RedisAddress.Node("a", 1), new RedisAddress.Node("b", 2));
		assertThat(address.master()).isEqualTo("mymaster");
		assertThat(address.database()).isEqualTo(4);
		assertThat(read(Map.of("uri", "redis-sentinel://a#m")).nodes())
			.containsExactly(new RedisAddress.Node("a", 26379));
		assertThat(read(Map.of("uri", "redis-sentinel://a#m")).master()).isEqualTo("m");
	}

	@Test
	void readsCluster() {
		RedisAddress address = read(Map.of("uri", "redis-cluster://a:1,b:2"));
		assertThat(address.kind()).isEqualTo(RedisAddress.Kind.CLUSTER);
		assertThat(address.nodes()).containsExactly(new RedisAddress.Node("a", 1), new RedisAddress.Node("b", 2));
		RedisAddress asInGo = read(Map.of("cluster", "true", "cluster_addrs", "c:3,d:4"));
		assertThat(asInGo.kind()).isEqualTo(RedisAddress.Kind.CLUSTER);
		assertThat(asInGo.nodes()).containsExactly(new RedisAddress.Node("c", 3), new RedisAddress.Node("d", 4));
		assertThat(read(Map.of("cluster", "true")).nodes()).hasSize(6);
	}

	@Test
	void encryptsIfToldSo() {
		assertThat(read(Map.of("tls", "true")).tls()).isEqualTo(new RedisAddress.Tls(null, false));
		assertThat(read(Map.of("tls_server", "name")).tls()).isEqualTo(new RedisAddress.Tls("name", false));
		assertThat(read(Map.of("uri", "rediss://h", "insecure", "1")).tls())
			.isEqualTo(new RedisAddress.Tls(null, true));
		assertThat(read(Map.of("insecure", "true")).tls()).isNull();
	}

	@Test
	void nearerValueWins() {
		Map<String, String> none = Map.of();
		Map<String, String> flags = Map.of("uri", "redis://:of-uri@h/1");
		Map<String, String> variables = Map.of("ASYNQ_PASSWORD", "of-variable", "ASYNQ_DB", "2", "PASSWORD", "no",
				"USERNAME", "no", "DB", "9");
		RedisAddress address = AddressReader.read(new Settings(flags, variables, none));
		assertThat(address.password()).isEqualTo("of-uri");
		assertThat(address.username()).isNull();
		assertThat(address.database()).isEqualTo(1);
		address = AddressReader.read(new Settings(Map.of("password", "of-flag", "db", "3"), variables,
				Map.of("uri", "redis://:of-uri@h/1")));
		assertThat(address.password()).isEqualTo("of-flag");
		assertThat(address.database()).isEqualTo(3);
		address = AddressReader.read(new Settings(none, variables, Map.of("uri", "redis://:of-uri@h/1", "db", "7")));
		assertThat(address.password()).isEqualTo("of-variable");
		assertThat(address.database()).isEqualTo(2);
	}

	@ParameterizedTest
	@ValueSource(strings = { "ftp://x", "redis://h:x", "redis://h:0", "redis://h:70000", "redis://", "redis://h/x",
			"redis://h/-1", "redis://a,b", "redis-sentinel://a:1", "redis://u:%zz@h", "redis-cluster://a/2",
			"redis-socket:///redis.sock" })
	void refusesOthers(String uri) {
		assertThatExceptionOfType(UsageException.class).isThrownBy(() -> read(Map.of("uri", uri)));
	}

	@Test
	void errorShowsNoPassword() {
		assertThatExceptionOfType(UsageException.class).isThrownBy(() -> read(Map.of("uri", "redis://u:s3cret@h:x")))
			.withMessageContaining("'h:x'")
			.matches((ex) -> !ex.getMessage().contains("s3cret"));
	}

	@Test
	void errorNamesWhereTheValueComesFrom() {
		assertThatExceptionOfType(UsageException.class)
			.isThrownBy(() -> AddressReader.read(new Settings(Map.of(), Map.of("ASYNQ_DB", "x"), Map.of())))
			.withMessage("ASYNQ_DB must be a whole number from 0, but is 'x'");
		assertThatExceptionOfType(UsageException.class)
			.isThrownBy(() -> AddressReader.read(new Settings(Map.of(), Map.of(), Map.of("tls", "perhaps"))))
			.withMessage("'tls' in the configuration file must be true or false, but is 'perhaps'");
	}

	private static RedisAddress read(Map<String, String> flags) {
		return AddressReader.read(new Settings(flags, Map.of(), Map.of()));
	}

}
