! A string with an isolate that hides a part of the line.
program bytes_bidi_string
  implicit none
  character(len=40) :: s
  s = 'user⁦ ! check⁩'
  print *, s
end program
