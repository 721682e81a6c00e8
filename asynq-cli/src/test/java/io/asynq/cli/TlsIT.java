package io.asynq.cli;

import java.nio.file.Files;
import java.nio.file.Path;

import io.asynq.cli.TestShell.Ran;
import io.asynq.test.TestRedis;
import io.asynq.test.process.Command;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Encrypts, and accepts only the certificate of the Redis that was meant. Needs openssl.
 */
@Tag("full")
class TlsIT {

	private static final String TRUST_STORE = "javax.net.ssl.trustStore";

	@TempDir
	private Path folder;

	private TestRedis redis;

	private int port;

	private String trusted;

	@BeforeEach
	void setUp() throws Exception {
		openssl("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=authority -keyout ca.key "
				+ "-out ca.crt");
		openssl("req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost -keyout server.key "
				+ "-out server.csr");
		Files.writeString(this.folder.resolve("names"), "subjectAltName=DNS:localhost");
		openssl("x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile names "
				+ "-out server.crt");
		this.trusted = this.folder.resolve("trusted.p12").toString();
		Command.run(this.folder, Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-importcert",
				"-noprompt", "-alias", "ca", "-file", "ca.crt", "-keystore", this.trusted, "-storepass", "changeit");
		this.port = TestRedis.freePort();
		this.redis = TestRedis.startOwn("tls-port " + this.port, "tls-cert-file " + file("server.crt"),
				"tls-key-file " + file("server.key"), "tls-ca-cert-file " + file("ca.crt"), "tls-auth-clients no");
	}

	@AfterEach
	void tearDown() {
		System.clearProperty(TRUST_STORE);
		System.clearProperty(TRUST_STORE + "Password");
		this.redis.stop();
	}

	@Test
	void acceptsOnlyTheRightCertificate() {
		String uri = "rediss://localhost:" + this.port;
		Ran unknown = run(uri);
		assertThat(unknown.code()).isEqualTo(1);
		assertThat(unknown.err()).doesNotContain("spring.");
		assertThat(run(uri, "--insecure").code()).isZero();
		System.setProperty(TRUST_STORE, this.trusted);
		System.setProperty(TRUST_STORE + "Password", "changeit");
		assertThat(run(uri).code()).isZero();
		assertThat(run("localhost:" + this.port, "--tls").code()).isZero();
		assertThat(run(uri, "--tls_server", "other.example").code()).isEqualTo(1);
		assertThat(run("127.0.0.1:" + this.port, "--tls").code()).isEqualTo(1);
		assertThat(run("127.0.0.1:" + this.port, "--tls_server", "localhost").code()).isZero();
		assertThat(run("rediss://localhost:" + this.redis.port()).code()).isEqualTo(1);
	}

	private Ran run(String uri, String... flags) {
		TestShell shell = new TestShell(getClass(), this.redis).variable("ASYNQ_URI", uri);
		String[] command = new String[flags.length + 2];
		command[0] = "queue";
		command[1] = "ls";
		System.arraycopy(flags, 0, command, 2, flags.length);
		return shell.run(command);
	}

	private Path file(String name) {
		return this.folder.resolve(name);
	}

	private void openssl(String arguments) {
		Command.run(this.folder, ("openssl " + arguments).split(" "));
	}

}
