package io.asynq.cli.connect;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

import io.asynq.cli.connect.RedisAddress.Tls;
import io.asynq.cli.terminal.CommandFailedException;
import org.jspecify.annotations.Nullable;

/**
 * Which certificates are accepted: those for the host, or for the name that was given, or
 * any. Trusted are the JVM's authorities, or those of {@code javax.net.ssl.trustStore}.
 */
final class Certificates {

	private final Tls tls;

	Certificates(Tls tls) {
		this.tls = tls;
	}

	SSLSocketFactory socketFactory() {
		try {
			SSLContext context = SSLContext.getInstance("TLS");
			context.init(null, this.tls.insecure() ? new TrustManager[] { new TrustAll() } : null, null);
			return new NamedSockets(context.getSocketFactory(), this.tls.server());
		}
		catch (GeneralSecurityException ex) {
			throw new CommandFailedException("TLS cannot be used: " + ex.getMessage());
		}
	}

	/** The driver by itself would take a trusted certificate of any host. */
	SSLParameters parameters() {
		SSLParameters parameters = new SSLParameters();
		if (!this.tls.insecure()) {
			parameters.setEndpointIdentificationAlgorithm("HTTPS");
		}
		return parameters;
	}

	/** Sockets that expect the certificate of another name than the host's. */
	private static final class NamedSockets extends SSLSocketFactory {

		private final SSLSocketFactory factory;

		private final @Nullable String name;

		NamedSockets(SSLSocketFactory factory, @Nullable String name) {
			this.factory = factory;
			this.name = name;
		}

		@Override
		public Socket createSocket(Socket socket, String host, int port, boolean autoClose) throws IOException {
			return this.factory.createSocket(socket, (this.name != null) ? this.name : host, port, autoClose);
		}

		@Override
		public String[] getDefaultCipherSuites() {
			return this.factory.getDefaultCipherSuites();
		}

		@Override
		public String[] getSupportedCipherSuites() {
			return this.factory.getSupportedCipherSuites();
		}

		@Override
		public Socket createSocket(String host, int port) throws IOException {
			return this.factory.createSocket(host, port);
		}

		@Override
		public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
			return this.factory.createSocket(host, port, localHost, localPort);
		}

		@Override
		public Socket createSocket(InetAddress host, int port) throws IOException {
			return this.factory.createSocket(host, port);
		}

		@Override
		public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort)
				throws IOException {
			return this.factory.createSocket(address, port, localAddress, localPort);
		}

	}

}
