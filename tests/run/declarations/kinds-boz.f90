! Binary, octal and hexadecimal constants in DATA and as arguments of INT.
program kinds_boz
  implicit none
  integer :: b, o, h
  data b / b'1011' /, o / o'777' /, h / z'ff' /
  print *, b, o, h
  print *, int(z'7fffffff'), int(b'1000'), int(o'17')
  print *, real(z'3f800000'), iand(z'f0', 60)
end program
