package io.asynq.console.http;

public record ConsoleFile(String name, String mediaType, byte[] content) {
}
