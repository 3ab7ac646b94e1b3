! Substring ranges behind constants that are no characters.
program substring_of_number
  implicit none
  character(2) :: c
  c = .true.(1:2)
  c = 1.5(1:2)
  c = 'abc'(1:2)
end program
