package io.asynq.spring.boot.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A private certificate authority and a server certificate issued by it, created with
 * openssl on the PATH.
 */
final class PrivateCa {

	private final Path folder;

	private PrivateCa(Path folder) {
		this.folder = folder;
	}

	static PrivateCa create(Path folder) throws Exception {
		PrivateCa ca = new PrivateCa(folder);
		ca.openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
				"-subj", "/CN=A private CA", "-keyout", "ca.key", "-out", "ca.crt");
		ca.openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=localhost",
				"-keyout", "server.key", "-out", "server.csr");
		Files.writeString(folder.resolve("names"), "subjectAltName=DNS:localhost,IP:127.0.0.1");
		ca.openssl("x509", "-req", "-in", "server.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days",
				"2", "-extfile", "names", "-out", "server.crt");
		return ca;
	}

	Path certificate() {
		return this.folder.resolve("ca.crt");
	}

	/**
	 * Returns the configuration lines with which Redis answers over TLS only.
	 */
	String[] redisSettings(int port) {
		return List
			.of("tls-port " + port, "tls-cert-file " + this.folder.resolve("server.crt"),
					"tls-key-file " + this.folder.resolve("server.key"), "tls-ca-cert-file " + certificate(),
					"tls-auth-clients no")
			.toArray(String[]::new);
	}

	private void openssl(String... arguments) throws IOException, InterruptedException {
		ProcessBuilder builder = new ProcessBuilder("openssl").directory(this.folder.toFile())
			.redirectErrorStream(true)
			.redirectOutput(this.folder.resolve("openssl.log").toFile());
		builder.command().addAll(List.of(arguments));
		if (builder.start().waitFor() != 0) {
			throw new IllegalStateException(Files.readString(this.folder.resolve("openssl.log")));
		}
	}

}
