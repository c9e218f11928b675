import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Router } from "wouter";
import { queryClient } from "./api/client.ts";
import { App } from "./app.tsx";
import { BASE_PATH } from "./lib/base-path.ts";
import { startSession } from "./session/session.ts";
import "./styles/app.css";

startSession();

const root = document.getElementById("root");
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Router base={BASE_PATH}>
          <App />
        </Router>
      </QueryClientProvider>
    </StrictMode>,
  );
}
