program p
  static :: i
  automatic :: j
end program
