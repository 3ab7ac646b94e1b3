! Letters given twice, out of order, or not letters.
program implicit_overlap
  implicit integer (a-c), real (b-d)
  implicit real (z-x)
  implicit integer (3)
  a = 1
end program
