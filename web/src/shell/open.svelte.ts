/** Which of the dialogs that every page shares is open. */

class Open {
  dialog: "settings" | "help" | null = $state(null);
}

export const open = new Open();
export const showSettings = (): void => void (open.dialog = "settings");
export const showHelp = (): void => void (open.dialog = "help");
